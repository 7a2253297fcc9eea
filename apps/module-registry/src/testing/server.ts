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

/** A registry under test, with its own port and folder. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly accounts: AccountStore;
  readonly clock: TestClock;
  /** A client without a token. */
  readonly anonymous: Client;
  /** A client that presents `token`. */
  with(token: string): Client;
  /** Signs in a user with the role. */
  as(role: Role, description?: string): Promise<Client>;
  /** Stops the registry and starts it again on the same files. @param meanwhile runs while it is stopped */
  restart(meanwhile?: () => unknown): Promise<void>;
}

/**
 * One content reader for all tests of a file, since starting it takes longer than reading their archives. Ends with
 * the tests, when idle.
 */
const content = contentReader();

/** Starts a registry with an administrator, an operator, a reader and a user without a role. */
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

/** Signs in a user with a new token. */
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
