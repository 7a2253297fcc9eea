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

/** A secrets server with replication, behind a network connection that can be cut. */
export interface KillableCluster extends AsyncDisposable {
  readonly name: string;
  /** The proxy in front of the cluster port. */
  readonly link: LinkProxy;
  /**
   * Sends a request as the administrator, and signs in again if the token is no longer valid.
   * @throws if the server does not answer
   */
  send(method: string, path: string, body?: unknown): Promise<WireAnswer>;
  /** Like `send`, but must succeed. @throws Error with the answer */
  must(method: string, path: string, body?: unknown): Promise<WireAnswer>;
  /** The replication status as the administrator sees it. */
  status(): Promise<Wire>;
  /** Ends the server as `kill -9` does: pending answers are lost, and the files stay as they are at that moment. */
  crash(): Promise<void>;
  start(): Promise<void>;
}

/** The files of a server that remain after a kill. */
const files = ['secrets-server.db', 'secrets-server.db-wal', 'secrets-server-keys.json'];

/** The maximum time to wait for an answer, in milliseconds. */
const patience = 40_000;

/** Starts a cluster in a separate folder, with its own ports. */
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
    // Enabling a secondary deletes all tokens.
    if (path.endsWith('/secondary/enable')) token = undefined;
    if (answer.status !== 403) return answer;
    token = await signIn();
    return within(clientOf(origin, token).send(method, path, body));
  };
  const must: KillableCluster['must'] = async (method, path, body) => {
    const answer = await send(method, path, body);
    if (answer.status >= 300) throw new Error(`${name}: ${method} ${path} returned ${answer.text}`);
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
      // No await between these lines: a write that the copies lack must not be acknowledged.
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

/** Ports already used by other clusters. */
const taken = new Set<number>();

/**
 * Finds a loopback port that stays free while its server is down, outside the range that the system assigns
 * automatically.
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

/** Waits until a condition holds, checking repeatedly. @throws Error with the condition and its last state */
export async function until(what: string, isSo: () => Promise<true | string>): Promise<void> {
  const deadline = performance.now() + patience;
  for (;;) {
    const answer = await isSo().catch(String);
    if (answer === true) return;
    if (performance.now() > deadline) throw new Error(`${what}: ${answer}`);
    await sleep(5);
  }
}
