import { contentReader } from '@gatehouse/module-archive/content-reader';
import type { AccountStore, Role } from '@gatehouse/service-kit/accounts';
import { testClock } from '@gatehouse/service-kit/clock';
import type { TestClock } from '@gatehouse/service-kit/clock';
import { listen } from '@gatehouse/service-kit/service';
import type { Listening, Service } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { addTestPeople, openTestAccounts, testPassword } from '@gatehouse/service-kit/testing/test-accounts';
import { createService } from '../app.ts';
import type { ModuleRegistryOptions } from '../app.ts';
import { clientOf } from './client.ts';
import type { Client } from './client.ts';

export { testPassword } from '@gatehouse/service-kit/testing/test-accounts';

/** A registry under test, on a port and in a folder of its own. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly accounts: AccountStore;
  readonly clock: TestClock;
  /** Somebody without a token. */
  readonly anonymous: Client;
  /** Whoever presents `token`. */
  with(token: string): Client;
  /** Signs a person of the role in: `admin`, `operator` or `read-only`. */
  as(role: Role, description?: string): Promise<Client>;
  /** Stops and starts again on the same files. @param meanwhile done while it is stopped */
  restart(meanwhile?: () => unknown): Promise<void>;
}

/** One for all tests of a file: starting it takes longer than what they read. It ends with them, and when nothing is read. */
const content = contentReader();

/** Starts a registry with an administrator, an operator, a reader and a person without a role. */
export async function startServer(options: Partial<ModuleRegistryOptions> = {}): Promise<TestServer> {
  const folder = temporaryFolder();
  const clock = testClock();
  const accounts = await openTestAccounts(folder.file('accounts.db'), clock);
  await addTestPeople(accounts, 'modules');
  let service: Service;
  let server: Listening;
  const start = async (port: number): Promise<void> => {
    service = await createService({ dataDir: folder.path, accounts, clock, content, ...options });
    server = await listen(service, { host: '127.0.0.1', port });
  };
  const stop = async (): Promise<void> => {
    await server.drain(0);
    await service.close();
  };
  await start(0);
  const { address: url, port } = server!;
  return {
    url,
    port,
    dataDir: folder.path,
    accounts,
    clock,
    anonymous: clientOf(url, undefined),
    with: (token) => clientOf(url, token),
    as: (role, description = '') => signIn(url, role === 'administrator' ? 'admin' : role, description),
    async restart(meanwhile) {
      await stop();
      await meanwhile?.();
      await start(port);
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await accounts.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Signs a person in with a token of its own. */
export async function signIn(url: string, username: string, description = ''): Promise<Client> {
  const answer = await clientOf(url, undefined).post('/v1/tokens', {
    username,
    password: testPassword,
    description,
  });
  const { token } = answer.body;
  if (typeof token !== 'string') throw new Error(`cannot sign in as ${username}: ${answer.text}`);
  return clientOf(url, token);
}
