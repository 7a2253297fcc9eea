import type { AccountsOptions, AccountStore } from '@gatehouse/service-kit/accounts';
import { testClock } from '@gatehouse/service-kit/clock';
import type { TestClock } from '@gatehouse/service-kit/clock';
import { listen } from '@gatehouse/service-kit/service';
import type { Service } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { addTestPeople, openTestAccounts } from '@gatehouse/service-kit/testing/test-accounts';
import { createService } from '../app.ts';
import type { SecretsServerOptions } from '../app.ts';
import type { ReplicationTimes } from '../replication/running/links.ts';
import { clientOf } from './client.ts';
import type { Client } from './client.ts';

export { testPassword } from '@gatehouse/service-kit/testing/test-accounts';

/** A secrets server under test, with its own port and folder. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly accounts: AccountStore;
  readonly service: Service;
  readonly clock: TestClock;
  /** A client without a token. */
  readonly anonymous: Client;
  /** Returns a client with a token. */
  with(token: string): Client;
}

/** Short times for servers on the same machine, which may be busy. */
export const quickReplication: ReplicationTimes = {
  heartbeat: 500,
  deadline: 10_000,
  retry: { first: 10, most: 50 },
  ping: 20_000,
  wait: 40_000,
};

/** Starts a server with an administrator, an operator, a read-only user and a person without a role. */
export async function startServer({
  guesses,
  ...options
}: Partial<SecretsServerOptions> & Pick<AccountsOptions, 'guesses'> = {}): Promise<TestServer> {
  const folder = temporaryFolder();
  const clock = testClock();
  const accounts = await openTestAccounts(folder.file('accounts.db'), clock, guesses);
  await addTestPeople(accounts, 'secrets');
  let address = '';
  const service = await createService({
    dataDir: folder.path,
    accounts,
    clock,
    apiAddress: () => address,
    replicationTimes: quickReplication,
    ...options,
  });
  const server = await listen(service, { host: '127.0.0.1', port: 0 });
  ({ address } = server);
  return {
    url: server.address,
    port: server.port,
    dataDir: folder.path,
    accounts,
    service,
    clock,
    anonymous: clientOf(server.address, undefined),
    with: (token) => clientOf(server.address, token),
    async [Symbol.asyncDispose]() {
      await server.drain(0);
      await service.close();
      await accounts.close();
      folder[Symbol.dispose]();
    },
  };
}
