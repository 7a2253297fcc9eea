import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { SecretsServerOptions } from '../app.ts';
import type { Client, Wire, WireAnswer } from './client.ts';
import { as } from './people.ts';
import { startServer } from './server.ts';
import type { TestServer } from './server.ts';

/** The path of the replication API. */
export const replication = 'sys/replication/performance';

/** A server with replication and its administrator. */
export interface TestCluster extends TestServer {
  /** A signed-in client; must be replaced after the cluster's tokens were cleared. */
  admin: Client;
}

/** Starts a server without replication. */
export async function startCluster(options: Partial<SecretsServerOptions> = {}): Promise<TestCluster> {
  const server = await startServer(options);
  return Object.assign(server, { admin: await as(server, 'administrator') });
}

/** Starts a primary and secondaries, and waits until they have all of its writes. */
export async function startClusters(
  secondaries: number,
): Promise<
  AsyncDisposable & { readonly primary: TestCluster; readonly secondaries: readonly TestCluster[] }
> {
  const clusters = await Promise.all(Array.from({ length: secondaries + 1 }, () => startCluster()));
  const [primary, ...others] = clusters;
  if (primary === undefined) throw new Error('no cluster was started');
  await enablePrimary(primary);
  for (const [index, other] of others.entries()) await addSecondary(primary, other, `secondary-${index + 1}`);
  return {
    primary,
    secondaries: others,
    async [Symbol.asyncDispose]() {
      for (const cluster of clusters.toReversed()) await cluster[Symbol.asyncDispose]();
    },
  };
}

/** Makes a cluster a primary. */
export async function enablePrimary({ admin }: TestCluster): Promise<void> {
  expect(await refusalOf(admin.write(`${replication}/primary/enable`))).toEqual('');
}

/** Creates an activation token. @param fields of the request in addition to the ID */
export async function activationOf({ admin }: TestCluster, id: string, fields: Wire = {}): Promise<string> {
  const answer = await admin.write(`${replication}/primary/secondary-token`, { id, ...fields });
  const { wrap_info: wrapped } = answer.body;
  const { token } = typeof wrapped === 'object' && wrapped !== null ? (wrapped as Wire) : answer.data;
  if (typeof token !== 'string') throw new Error(`no activation token in ${answer.text}`);
  return token;
}

/** Makes a cluster follow a primary, and waits until it has all writes. */
export async function addSecondary(primary: TestCluster, other: TestCluster, id: string): Promise<void> {
  const token = await activationOf(primary, id);
  expect(await refusalOf(other.admin.write(`${replication}/secondary/enable`, { token }))).toEqual('');
  other.admin = await as(other, 'administrator');
  await caughtUp(primary, other);
}

/** The replication status as an administrator sees it. */
export async function statusOf({ admin }: TestCluster): Promise<Wire> {
  return (await admin.read(`${replication}/status`)).data;
}

/** Waits until a secondary has its primary's last entry, and the primary knows it. */
export async function caughtUp(primary: TestCluster, secondary: TestCluster): Promise<void> {
  const { last_wal: last, epoch } = await statusOf(primary);
  await waitFor(secondary, { last_remote_wal: last, state: 'stream-wals', connection_state: 'ready', epoch });
}

/** Waits until a cluster's status has the given members. */
export async function waitFor(cluster: TestCluster, wanted: Wire): Promise<void> {
  const check = async (): Promise<void> => expect(await statusOf(cluster)).toMatchObject(wanted);
  await vi.waitFor(check, { timeout: 40_000, interval: 10 });
}

/** The error message of an answer; empty if it succeeded. */
export async function refusalOf(asked: Promise<WireAnswer>): Promise<string> {
  const { status, body, text } = await asked;
  if (status < 400) return '';
  const { errors } = body;
  return Array.isArray(errors) ? errors.join('; ') : text;
}

/** The root key of a server, from its key file. */
export function rootKeyOf({ dataDir }: TestCluster): string {
  const ring = JSON.parse(readFileSync(join(dataDir, 'secrets-server-keys.json'), 'utf8')) as {
    readonly active: string;
    readonly keys: Readonly<Record<string, string>>;
  };
  return ring.keys[ring.active] ?? '';
}
