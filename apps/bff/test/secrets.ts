import type { Client } from '@gatehouse/secrets-server/testing/client';
import { as } from '@gatehouse/secrets-server/testing/people';
import { startServer, testPassword, type TestServer } from '@gatehouse/secrets-server/testing/server';
import type { Browser, BrowserAnswer } from './browser.ts';
import { signInAs, startConsole, type TestConsole, type TestConsoleOptions, confirmAs } from './console.ts';
import { faultProxy, type FaultProxy } from './fault-proxy.ts';

/** A console with the real embedded secrets server and a fault proxy between them; both share a clock. */
export interface SecretsConsole extends AsyncDisposable {
  readonly console: TestConsole;
  readonly server: TestServer;
  readonly proxy: FaultProxy;
  /** The server's own client, as an administrator. */
  readonly direct: Client;
  /** A browser of a signed-in user: `admin`, `operator`, `read-only`, `nobody`. */
  signedIn(loginName?: string): Promise<Browser>;
  /**
   * A browser of a user whose token has only this policy and the default one.
   * @param isConfirmed whether the token was entered again
   */
  withPolicy(name: string, policy: string, isConfirmed?: boolean): Promise<Browser>;
}

export async function startSecrets(
  options: Partial<TestConsoleOptions> = {},
  serverOptions: Parameters<typeof startServer>[0] = {},
): Promise<SecretsConsole> {
  const server = await startServer(serverOptions);
  const proxy = await faultProxy(server.port);
  const console = await startConsole({
    secrets: { kind: 'url', url: new URL(`http://127.0.0.1:${proxy.port}`) },
    clock: server.clock,
    ...options,
  });
  const direct = await as(server, 'administrator');
  return {
    console,
    server,
    proxy,
    direct,
    async signedIn(loginName = 'admin') {
      const page = console.browser();
      await signInAs(page, loginName, testPassword, 'secrets');
      return page;
    },
    async withPolicy(name, policy, isConfirmed = false) {
      await direct.write(`sys/policies/acl/${name}`, { policy });
      const made = await direct.write('auth/token/create', { policies: [name] });
      const { client_token: token } = made.body['auth'] as { readonly client_token: string };
      const page = console.browser();
      await page.send('POST', '/api/session', {
        body: { environment: 'test', service: 'secrets', credentials: { method: 'token', token } },
      });
      if (isConfirmed) await confirmAs(page, token);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await console.close();
      await proxy.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Path of the console's operations on secrets. */
export const secretsApi = '/api/environments/test/secrets';

/** The path of a secret's operations. */
export function secretAt(path: string, more = '', mount = 'secret'): string {
  return `${secretsApi}/mounts/${encodeURIComponent(mount)}/secrets/${encodeURIComponent(path)}${more}`;
}

/** The lines of a streamed answer. */
export function linesOf(answer: BrowserAnswer): Record<string, unknown>[] {
  return answer.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
