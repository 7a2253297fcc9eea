import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountStore } from '@gatehouse/service-kit/accounts';
import { listen } from '@gatehouse/service-kit/service';
import type { Listening, Service } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { openTestAccounts, testPassword } from '@gatehouse/service-kit/testing/test-accounts';
import { createService } from '../app.ts';
import { clientOf } from './client.ts';
import type { Wire, WireAnswer } from './client.ts';
import { linkProxy } from './link-proxy.ts';
import type { LinkProxy } from './link-proxy.ts';
import { tokenOf } from './people.ts';
import { quickReplication } from './server.ts';

/** A secrets server that replicates, behind a network that can be cut. */
export interface KillableCluster extends AsyncDisposable {
  readonly name: string;
  /** What others reach its cluster port through. */
  readonly link: LinkProxy;
  /** Sends a request as the administrator, who signs in again where the token is gone. @throws when it does not answer */
  send(method: string, path: string, body?: unknown): Promise<WireAnswer>;
  /** The same, which must succeed. @throws Error with what was answered */
  must(method: string, path: string, body?: unknown): Promise<WireAnswer>;
  /** What status says to the administrator. */
  status(): Promise<Wire>;
  /** Ends it as `kill -9` does: what it was about to answer is not answered, and its files are what they were at that moment. */
  crash(): Promise<void>;
  start(): Promise<void>;
}

/** The files of a server that a kill leaves behind. */
const files = ['secrets-server.db', 'secrets-server.db-wal', 'secrets-server-keys.json'];

/** Longest that an answer is waited for, in milliseconds. */
const patience = 40_000;

/** Starts a cluster with a folder and ports of its own. */
export async function startKillableCluster(name: string): Promise<KillableCluster> {
  const folder = temporaryFolder();
  const accounts = await openTestAccounts(folder.file('accounts.db'));
  const apiPort = await stablePort();
  const clusterPort = await stablePort();
  const link = await linkProxy(() => clusterPort);
  let life = 0;
  let dataDir = folder.file('life-0');
  let running: Running | undefined = await run(dataDir);
  let token: string | undefined;

  async function run(dir: string): Promise<Running> {
    return startServer({
      dataDir: dir,
      accounts,
      apiPort,
      clusterPort,
      link,
    });
  }
  const origin = `http://127.0.0.1:${apiPort}`;
  const signIn = async (): Promise<string> =>
    tokenOf(await clientOf(origin, undefined).write('auth/userpass/login/admin', { password: testPassword }));
  const send: KillableCluster['send'] = async (method, path, body) => {
    token ??= await signIn();
    const answer = await within(clientOf(origin, token).send(method, path, body));
    // All tokens are gone with the data.
    if (path.endsWith('/secondary/enable')) token = undefined;
    if (answer.status !== 403) return answer;
    token = await signIn();
    return within(clientOf(origin, token).send(method, path, body));
  };
  const must: KillableCluster['must'] = async (method, path, body) => {
    const answer = await send(method, path, body);
    if (answer.status >= 300) throw new Error(`${name}: ${method} ${path} was answered ${answer.text}`);
    return answer;
  };

  return {
    name,
    link,
    send,
    must,
    status: async () => (await must('GET', 'sys/replication/performance/status')).data,
    async crash() {
      const dying = running;
      if (dying === undefined) return;
      running = undefined;
      // Nothing runs between these lines: nobody hears of a write that the copies do not have.
      dying.listening.server.closeAllConnections();
      link.drop();
      life += 1;
      const next = folder.file(`life-${life}`);
      mkdirSync(next);
      for (const file of files)
        if (existsSync(join(dataDir, file))) copyFileSync(join(dataDir, file), join(next, file));
      dataDir = next;
      await dying.listening.drain(0);
      await dying.service.close();
    },
    async start() {
      running ??= await run(dataDir);
    },
    async [Symbol.asyncDispose]() {
      await running?.listening.drain(0);
      await running?.service.close();
      await accounts.close();
      await link[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

interface Running {
  readonly service: Service;
  readonly listening: Listening;
}

async function startServer(options: {
  readonly dataDir: string;
  readonly accounts: AccountStore;
  readonly apiPort: number;
  readonly clusterPort: number;
  readonly link: LinkProxy;
}): Promise<Running> {
  const service = await createService({
    dataDir: options.dataDir,
    accounts: options.accounts,
    cluster: { host: '127.0.0.1', port: options.clusterPort, address: options.link.address },
    apiAddress: () => `http://127.0.0.1:${options.apiPort}`,
    replicationTimes: quickReplication,
  });
  return { service, listening: await listen(service, { host: '127.0.0.1', port: options.apiPort }) };
}

async function within<Result>(work: Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const late = sleep(patience, undefined, { signal: controller.signal }).then(() => {
    throw new Error(`nothing was answered in ${patience / 1000} s`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    controller.abort();
  }
}

/** Ports that were handed out. */
const taken = new Set<number>();

/**
 * A port of loopback that stays free while its server is down: it is none of those that the system gives to whoever asks
 * for any.
 */
async function stablePort(): Promise<number> {
  const lowest = 20_000;
  const count = 10_000;
  for (;;) {
    const port = lowest + Math.floor(Math.random() * count);
    if (taken.has(port)) continue;
    taken.add(port);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Waits until something is so, asking again and again. @throws Error that says what was waited for, and what it was last */
export async function until(what: string, isSo: () => Promise<true | string>): Promise<void> {
  const deadline = performance.now() + patience;
  for (;;) {
    const answer = await isSo().catch(String);
    if (answer === true) return;
    if (performance.now() > deadline) throw new Error(`${what}: ${answer}`);
    await sleep(5);
  }
}
