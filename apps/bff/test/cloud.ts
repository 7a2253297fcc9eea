import type { CloudDouble } from '@gatehouse/cloud-double/double';
import { rootFields, shortTimes, startProvider } from '@gatehouse/secrets-server/testing/cloud';
import type { TestConsoleOptions } from './console.ts';
import { secretsApi, startSecrets, type SecretsConsole } from './secrets.ts';

/** A console over the embedded secrets server, whose engine at `cloud` is configured for a double of the provider. */
export interface CloudConsole extends SecretsConsole {
  readonly provider: CloudDouble;
}

export async function startCloud(options: Partial<TestConsoleOptions> = {}): Promise<CloudConsole> {
  const secrets = await startSecrets(options, { cloudTimes: shortTimes, cloudEnvironment: {} });
  const provider = await startProvider(() => secrets.server.clock.now());
  await secrets.direct.write('sys/mounts/cloud', { type: 'cloud' });
  await secrets.direct.write('cloud/config/root', { ...rootFields(provider.url), max_retries: 0 });
  return {
    ...secrets,
    provider,
    async [Symbol.asyncDispose]() {
      await secrets[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** The address of an engine's operations, or of one of its roles. */
export function engineAt(more = '', mount = 'cloud'): string {
  return `${secretsApi}/cloud/${encodeURIComponent(mount)}${more}`;
}

export function roleAt(role: string, more = '', mount = 'cloud'): string {
  return engineAt(`/roles/${encodeURIComponent(role)}${more}`, mount);
}
