import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { password } from './console.ts';
import { freePorts, processes, ready, type Metered } from './processes.ts';

/** A secrets server in a process of its own. */
interface Cluster {
  readonly origin: string;
  readonly server: Metered;
  /** Of its administrator. */
  readonly token: string;
}

/** A server that replicates nothing, a primary that nobody follows, and one with its secondary. */
export interface Clusters extends AsyncDisposable {
  readonly alone: Cluster;
  readonly unfollowed: Cluster;
  readonly primary: Cluster;
  readonly secondary: Pick<Cluster, 'origin'>;
}

const performancePath = '/v1/sys/replication/performance';

/** Starts four secrets servers and lets the last follow the one before. */
export async function startClusters(): Promise<Clusters> {
  await using started = new AsyncDisposableStack();
  const running = started.use(await processes());
  const start = async (name: string): Promise<Cluster> => {
    const port = await freePorts('api', 'cluster');
    const origin = `http://127.0.0.1:${port.api}`;
    const server = running.start(['apps/secrets-server/src/main.ts'], {
      GATEHOUSE_DATA: join(running.folder, name),
      GATEHOUSE_SECRETS_PORT: String(port.api),
      GATEHOUSE_SECRETS_CLUSTER_PORT: String(port.cluster),
      GATEHOUSE_ADMIN_PASSWORD: password,
    });
    await ready(`${origin}/v1/sys/health`);
    const { auth } = await call(origin, '/v1/auth/userpass/login/admin', undefined, { password });
    return { origin, server, token: textOf(auth, 'client_token') };
  };
  const [alone, unfollowed, primary, secondary] = [
    await start('alone'),
    await start('unfollowed'),
    await start('primary'),
    await start('secondary'),
  ];
  for (const { origin, token } of [unfollowed, primary])
    await call(origin, `${performancePath}/primary/enable`, token, {});
  const { wrap_info: wrapped } = await call(
    primary.origin,
    `${performancePath}/primary/secondary-token`,
    primary.token,
    { id: 'secondary' },
  );
  await call(secondary.origin, `${performancePath}/secondary/enable`, secondary.token, {
    token: textOf(wrapped, 'token'),
  });
  await until(async () => (await lastEntry(secondary.origin)) >= (await lastEntry(primary.origin)));
  const kept = started.move();
  return { alone, unfollowed, primary, secondary, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Milliseconds until the secondary had what the primary had just answered, again and again until `running` ends. */
export async function lagWhile(
  running: Promise<unknown>,
  primary: Pick<Cluster, 'origin'>,
  secondary: Pick<Cluster, 'origin'>,
): Promise<number[]> {
  const lags: number[] = [];
  const over = new AbortController();
  const ended = running.finally(() => over.abort());
  while (!over.signal.aborted) {
    const wanted = await lastEntry(primary.origin);
    const asked = performance.now();
    await until(async () => (await lastEntry(secondary.origin)) >= wanted);
    lags.push(performance.now() - asked);
    await sleep(20);
  }
  await ended;
  return lags;
}

/** Number of the last write that a cluster has; -1 while it tells none. */
async function lastEntry(origin: string): Promise<number> {
  const { data } = await call(origin, `${performancePath}/status`, undefined);
  if (typeof data !== 'object' || data === null) return -1;
  const { last_wal: written, last_remote_wal: received } = data as Readonly<Record<string, unknown>>;
  return Number(written ?? received ?? -1);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('The secondary does not follow.');
    await sleep(1);
  }
}

async function call(
  origin: string,
  path: string,
  token: string | undefined,
  body?: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await request(`${origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...(token !== undefined && { headers: { 'x-vault-token': token } }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${path} was answered ${answer.statusCode}: ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>);
}

function textOf(value: unknown, name: string): string {
  const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  if (typeof text !== 'string') throw new Error(`there is no ${name} in an answer`);
  return text;
}
