import type { AccountStore, Role } from '@gatehouse/service-kit/accounts';
import { testClock } from '@gatehouse/service-kit/clock';
import type { TestClock } from '@gatehouse/service-kit/clock';
import { listen } from '@gatehouse/service-kit/service';
import type { Listening, Service } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { clientOf } from '@gatehouse/service-kit/testing/client';
import type { Client } from '@gatehouse/service-kit/testing/client';
import { addTestPeople, openTestAccounts, testPassword } from '@gatehouse/service-kit/testing/test-accounts';
import { createService } from '../app.ts';
import type { BoxRegistryOptions } from '../app.ts';

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
  as(role: Role): Promise<Client>;
  signIn(login: string): Promise<Client>;
  /** Stops the registry and starts it again on the same files. @param meanwhile runs while it is stopped */
  restart(meanwhile?: () => Promise<unknown>): Promise<void>;
}

/** Starts a registry with an administrator, an operator, a reader and a user without a role. */
export async function startServer(options: Partial<BoxRegistryOptions> = {}): Promise<TestServer> {
  const folder = temporaryFolder();
  const clock = testClock();
  const accounts = await openTestAccounts(folder.file('accounts.db'), clock);
  await addTestPeople(accounts, 'boxes');
  let service: Service;
  let server: Listening;
  const start = async (port: number): Promise<void> => {
    service = await createService({
      dataDir: folder.path,
      accounts,
      clock,
      publicUrl: () => server.address,
      ...options,
    });
    server = await listen(service, { host: '127.0.0.1', port });
  };
  const stop = async (): Promise<void> => {
    await server.drain(0);
    await service.close();
  };
  await start(0);
  const { address: url, port } = server!;
  const signIn = async (login: string): Promise<Client> => {
    const answer = await clientOf(url, undefined).post('/api/v1/authenticate', {
      user: { login, password: testPassword },
    });
    const { token } = answer.body;
    if (typeof token !== 'string') throw new Error(`cannot sign in as ${login}: ${answer.text}`);
    return clientOf(url, token);
  };
  return {
    url,
    port,
    dataDir: folder.path,
    accounts,
    clock,
    anonymous: clientOf(url, undefined),
    with: (token) => clientOf(url, token),
    as: (role) => signIn(role === 'administrator' ? 'admin' : role),
    signIn,
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
