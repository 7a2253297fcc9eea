import type { Client } from '@gatehouse/secrets-server/testing/client';
import { as } from '@gatehouse/secrets-server/testing/people';
import { quickReplication, startServer, testPassword } from '@gatehouse/secrets-server/testing/server';
import { vi } from 'vitest';
import type { EnvironmentConfig } from '../src/config/config.ts';
import type { Browser, BrowserAnswer } from './browser.ts';
import { confirmAs, signInAs, startConsole, type TestConsole } from './console.ts';
import { faultProxy } from './fault-proxy.ts';

/** One environment of the console: a cluster of one secrets server behind a fault proxy. */
export type TestCluster = Awaited<ReturnType<typeof startCluster>>;

/** A console with several embedded secrets servers, each in its own environment: `test`, `second`, `third`. */
export interface ReplicationConsole extends AsyncDisposable {
  readonly console: TestConsole;
  readonly clusters: readonly TestCluster[];
  /** A browser of a user who is signed in everywhere and has entered the password again. */
  signedIn(loginName?: string): Promise<Browser>;
}

const environments = ['test', 'second', 'third'];

/** @param kind of the first environment */
export async function startReplication(
  count: 2 | 3 = 2,
  kind: EnvironmentConfig['kind'] = 'development',
): Promise<ReplicationConsole> {
  const clusters = await Promise.all(environments.slice(0, count).map(startCluster));
  const [first, ...rest] = clusters;
  if (first === undefined) throw new Error('there is no cluster');
  const console = await startConsole({
    secrets: endpointOf(first),
    kind,
    clock: first.server.clock,
    others: rest.map((cluster): EnvironmentConfig => {
      const secrets = { endpoint: endpointOf(cluster), signIn: ['password', 'token'] } as const;
      const { environment: id } = cluster;
      return { id, name: id, kind: 'development', sharedAccounts: false, services: { secrets } };
    }),
  });
  return {
    console,
    clusters,
    async signedIn(loginName = 'admin') {
      const page = console.browser();
      await signInAs(page, loginName, testPassword, 'secrets');
      for (const { environment } of rest) await connectTo(page, environment, loginName);
      await confirmAs(page, testPassword);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await console.close();
      await Promise.all(
        clusters.map(async ({ proxy, server }) => {
          await proxy.close();
          await server[Symbol.asyncDispose]();
        }),
      );
    },
  };
}

async function startCluster(environment: string) {
  let url = '';
  const server = await startServer({
    apiAddress: () => url,
    replicationTimes: { ...quickReplication, heartbeat: 50 },
  });
  ({ url } = server);
  return {
    environment,
    server,
    proxy: await faultProxy(server.port),
    /** The server's own client, as an administrator. It signs in again when tokens have ended. */
    direct: (): Promise<Client> => as(server, 'administrator'),
  };
}

function endpointOf({ proxy }: TestCluster) {
  return { kind: 'url', url: new URL(`http://127.0.0.1:${proxy.port}`) } as const;
}

/** Signs in to the secrets server of one more environment, and enters the password again there. */
export async function connectTo(page: Browser, environment: string, loginName = 'admin'): Promise<void> {
  const answer = await page.send('POST', `/api/environments/${environment}/connections/secrets`, {
    body: { credentials: { method: 'password', login_name: loginName, password: testPassword } },
  });
  if (answer.status !== 200) throw new Error(`connecting answered ${answer.status}: ${answer.text}`);
  await confirmAs(page, testPassword, environment);
}

/** The path of an environment's replication operations. */
export function replicationAt(environment: string, more = ''): string {
  return `/api/environments/${environment}/secrets/replication${more}`;
}

/** The state of an environment's cluster. */
export async function statusOf(page: Browser, environment: string): Promise<Record<string, unknown>> {
  return (await page.send('GET', replicationAt(environment))).json;
}

/** Sends a change, and fails the test if it is refused. */
export async function changeAt(
  page: Browser,
  environment: string,
  operation: string,
  body?: object,
): Promise<BrowserAnswer> {
  const answer = await page.send('POST', replicationAt(environment, `/${operation}`), {
    ...(body !== undefined && { body }),
  });
  if (answer.status !== 200) throw new Error(`${operation} answered ${answer.status}: ${answer.text}`);
  return answer;
}

/** Waits until two clusters have the same records at the same position. */
export function untilSame(page: Browser, environment: string, other: string): Promise<void> {
  return vi.waitFor(
    async () => {
      const path = replicationAt(environment, `/comparison?with=${other}`);
      const { json, text } = await page.send('GET', path);
      if (json['same'] !== true) throw new Error(`they are not the same: ${text}`);
    },
    { timeout: 40_000, interval: 20 },
  );
}
