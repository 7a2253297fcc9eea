import { testClock } from '@gatehouse/service-kit/clock';
import type { TestClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { listen } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { openTestAccounts } from '@gatehouse/service-kit/testing/test-accounts';
import { tokenBackend } from '../auth/token/backend.ts';
import { userpassBackend } from '../auth/userpass/backend.ts';
import { durationField, booleanField } from '../core/fields.ts';
import { backendOf } from '../core/routes.ts';
import { requestHandler } from '../http/handler.ts';
import { openIdentity } from '../identity/identity.ts';
import type { LeaseTimes } from '../identity/leases.ts';
import { openBarrier } from '../store/barrier.ts';
import { openDatabase } from '../store/database.ts';
import { mountTable } from '../store/mounts.ts';
import { identityRoutes } from '../sys/identity.ts';
import { clientOf } from './client.ts';
import type { Client } from './client.ts';

/** A server with an engine at `ledger/` that only counts what it issues. */
export interface IssuingServer extends AsyncDisposable {
  /** The server's address until a restart. */
  readonly url: string;
  readonly clock: TestClock;
  /** The names that are issued and not revoked. */
  readonly issued: Set<string>;
  /** Whether revocations fail at present. */
  broken: boolean;
  client(token?: string): Client;
  /** Runs the sweep that otherwise runs every second. */
  sweep(): Promise<void>;
  /** Restarts the server with the same files. */
  restart(): Promise<void>;
}

/** Starts the server and signs in an administrator. */
export async function startIssuingServer(): Promise<IssuingServer> {
  const folder = temporaryFolder();
  const clock = testClock();
  const accounts = await openTestAccounts(folder.file('accounts.db'), clock);
  const issued = new Set<string>();
  const times = new Map<string, LeaseTimes>();
  let next = 0;

  const start = async () => {
    const store = openDatabase(folder.path);
    const keys = keyRingFromFile(folder.file('keys.json'));
    const barrier = await openBarrier(store, keys, clock.now());
    const mounts = mountTable(store, [
      { path: 'sys/', type: 'system', description: '' },
      { path: 'auth/token/', type: 'token', description: '' },
      { path: 'auth/userpass/', type: 'userpass', description: '' },
      { path: 'ledger/', type: 'ledger', description: '' },
    ]);
    const identity = await openIdentity({ store, barrier, accounts, clock, log: silentLog });
    identity.leases.register('ledger', {
      times: ({ data }) => times.get(String(data)),
      async revoke(data) {
        if (server.broken) throw new Error('the provider does not answer');
        issued.delete(String(data));
      },
    });
    const ledger = backendOf([
      {
        path: 'creds/*name',
        operations: {
          update: async (request) => {
            const name = `credential-${next++}`;
            issued.add(name);
            const lasts = {
              ttl: durationField(request.body, 'ttl') ?? 0,
              maxTtl: durationField(request.body, 'max_ttl') ?? 0,
            };
            times.set(name, lasts);
            const lease = await identity.leases.issue({
              engine: 'ledger',
              request,
              ...lasts,
              renewable: booleanField(request.body, 'renewable') ?? true,
              data: name,
            });
            return { lease, data: { name } };
          },
        },
      },
    ]);
    const handler = requestHandler({
      sealed: () => barrier.sealed,
      findMount: (namespace, path) => mounts.find(namespace, path),
      backends: new Map([
        ['system', backendOf(identityRoutes(identity, barrier, mounts))],
        ['token', tokenBackend(identity)],
        ['userpass', userpassBackend(identity)],
        ['ledger', ledger],
      ]),
      authorizer: identity.authorizer,
      namespaces: identity.namespaces,
      clock,
      log: silentLog,
    });
    const listening = await listen(
      {
        name: 'secrets',
        version: '',
        handler,
        errorBody: String,
        ready: () => Promise.resolve(true),
        close: () => store.close(),
      },
      { host: '127.0.0.1', port: 0 },
    );
    return {
      url: listening.address,
      sweep: () => identity.sweep(),
      async stop() {
        await listening.drain(0);
        await identity.close();
        await store.close();
      },
    };
  };

  const server: IssuingServer = {
    get url() {
      return running.url;
    },
    clock,
    issued,
    broken: false,
    client: (token) => clientOf(running.url, token),
    sweep: () => running.sweep(),
    async restart() {
      await running.stop();
      running = await start();
    },
    async [Symbol.asyncDispose]() {
      await running.stop();
      await accounts.close();
      folder[Symbol.dispose]();
    },
  };
  let running = await start();
  return server;
}
