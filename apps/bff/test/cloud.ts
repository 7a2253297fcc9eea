import type { CloudDouble } from '@gatehouse/cloud-double/double';
import { readOnly, rootFields, shortTimes, startProvider } from '@gatehouse/secrets-server/testing/cloud';
import type { Browser, BrowserAnswer } from './browser.ts';
import type { TestConsoleOptions } from './console.ts';
import { secretsApi, startSecrets, type SecretsConsole } from './secrets.ts';

/** A console with the embedded secrets server, whose engine at `cloud` uses a double of the provider. */
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

/** Ends the faults that a test has set at the provider or on the way to the server. */
export function endFaults({ provider, proxy }: CloudConsole): void {
  provider.inject = undefined;
  proxy.fault = { kind: 'none' };
  delete proxy.onRequest;
}

/** The path of an engine's operations, or of one of its roles. */
export function engineAt(more = '', mount = 'cloud'): string {
  return `${secretsApi}/cloud/${encodeURIComponent(mount)}${more}`;
}

export function roleAt(role: string, more = '', mount = 'cloud'): string {
  return engineAt(`/roles/${encodeURIComponent(role)}${more}`, mount);
}

/** Fields of a new role of IAM users, besides its name. */
export const userRole = {
  credential_type: 'iam_user',
  role_arns: [],
  policy_arns: [readOnly],
  policy_document: '',
  iam_groups: [],
  iam_tags: {},
  session_tags: {},
  external_id: '',
  default_sts_ttl: '',
  max_sts_ttl: '',
  user_path: '',
  permissions_boundary_arn: '',
};

/** A document that allows one service. */
export const policyDocument =
  '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}';

/** Creates a role of IAM users, unless `fields` says otherwise. */
export function createRole(page: Browser, name: string, fields: object = {}): Promise<BrowserAnswer> {
  return page.send('POST', engineAt('/roles'), { body: { name, ...userRole, ...fields } });
}

/** Generates a credential of a role. */
export function generate(page: Browser, role: string, body: object = {}): Promise<BrowserAnswer> {
  return page.send('POST', roleAt(role, '/credentials'), { body: { from: 'creds', ...body } });
}

/** The current revision of a record. */
export async function revisionAt(page: Browser, path: string): Promise<string> {
  return String((await page.send('GET', path)).json['revision']);
}

/** The problem of a field that the console refuses. */
export function invalid(field: string) {
  return { code: 'invalid-request', fields: [{ path: field }] };
}

/** The outcomes of concurrent calls: `done` or their codes, sorted. */
export async function outcomes(...answers: Promise<BrowserAnswer>[]): Promise<string[]> {
  return (await Promise.all(answers))
    .map(({ status, json }) => (status < 300 ? 'done' : String(json['code'])))
    .toSorted();
}
