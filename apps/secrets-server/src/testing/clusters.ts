import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
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

/** A secrets server that replicates, behind a network that can be cut. */
export interface TestCluster extends AsyncDisposable {
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
const patience = 10_000;

/** Starts a cluster with a folder and ports of its own. */
export async function startCluster(name: string): Promise<TestCluster> {
  const folder = temporaryFolder();
  const accounts = await openTestAccounts(folder.file('accounts.db'));
  const [apiPort, clusterPort] = await freePorts(2);
  const link = await linkProxy(() => clusterPort ?? 0);
  let life = 0;
  let dataDir = folder.file('life-0');
  let running: Running | undefined = await run(dataDir);
  let token: string | undefined;

  async function run(dir: string): Promise<Running> {
    return startServer({
      dataDir: dir,
      accounts,
      apiPort: apiPort ?? 0,
      clusterPort: clusterPort ?? 0,
      link,
    });
  }
  const origin = `http://127.0.0.1:${apiPort ?? 0}`;
  const signIn = async (): Promise<string> => {
    const { body, text } = await clientOf(origin, undefined).write('auth/userpass/login/admin', {
      password: testPassword,
    });
    const { auth } = body;
    const made: unknown =
      typeof auth === 'object' && auth !== null ? Reflect.get(auth, 'client_token') : undefined;
    if (typeof made !== 'string') throw new Error(`${name}: signing in was answered ${text}`);
    return made;
  };
  const send: TestCluster['send'] = async (method, path, body) => {
    token ??= await signIn();
    const answer = await within(clientOf(origin, token).send(method, path, body));
    if (answer.status !== 403) return answer;
    token = await signIn();
    return within(clientOf(origin, token).send(method, path, body));
  };
  const must: TestCluster['must'] = async (method, path, body) => {
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
    apiAddress: `http://127.0.0.1:${options.apiPort}`,
    replicationTimes: { heartbeat: 50, retry: { first: 10, most: 100 }, ping: 1000 },
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

/** Ports of loopback that nobody listened on a moment ago. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(
    servers.map(async (server) => {
      server.close();
      await once(server, 'close');
    }),
  );
  return ports;
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
