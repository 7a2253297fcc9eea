/** Replication between embedded secrets servers through the console. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Browser } from '#test/browser.ts';
import {
  changeAt,
  connectTo,
  replicationAt,
  startReplication,
  statusOf,
  untilSame,
  type ReplicationConsole,
} from '#test/replication.ts';

let live: ReplicationConsole;
let page: Browser;

const soon = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 40_000, interval: 20 });
const clusterOf = (environment: string) => {
  const found = live.clusters.find((one) => one.environment === environment);
  if (found === undefined) throw new Error(`there is no ${environment}`);
  return found;
};
const write = async (environment: string, path: string, value: string): Promise<void> => {
  const client = await clusterOf(environment).direct();
  const answer = await client.write(`secret/data/${path}`, { data: { value } });
  expect(answer.status, answer.text).toBe(200);
};
const statusAt = async (environment: string, path: string): Promise<number> =>
  (await (await clusterOf(environment).direct()).read(`secret/data/${path}`)).status;
const get = async (environment: string, more: string) =>
  (await page.send('GET', replicationAt(environment, more))).json;
const post = (environment: string, more: string, body?: object) =>
  page.send('POST', replicationAt(environment, more), { ...(body !== undefined && { body }) });

async function started(count?: 3): Promise<void> {
  live = await startReplication(count);
  page = await live.signedIn();
}
const ended = () => live[Symbol.asyncDispose]();

describe('a planned change of roles', () => {
  beforeAll(() => started(3));
  afterAll(ended);
  afterEach(() => {
    for (const { proxy } of live.clusters) delete proxy.onRequest;
  });

  test('enables a cluster without replication as a primary', async () => {
    expect(await statusOf(page, 'test')).toMatchObject({ mode: 'disabled', can_replicate: true });
    const { json } = await changeAt(page, 'test', 'enable-primary', {});
    expect(json).toMatchObject({
      status: {
        mode: 'primary',
        cluster_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        secondaries: [],
        signed_in: true,
        may: { demote: true, create_token: true },
      },
      warnings: [expect.stringContaining('enabled as a primary')],
      connected: true,
    });
    expect((await post('test', '/enable-primary', {})).json).toMatchObject({
      code: 'invalid-request',
      detail: 'This cluster is already a primary.',
    });
  });

  test('makes another cluster its secondary, where the caller can sign in again', async () => {
    await write('test', 'kept', 'one');
    await write('second', 'cleared', 'one');
    const { json } = await changeAt(page, 'second', 'add-secondary', { primary: 'test', id: 'eu' });
    expect(json).toMatchObject({
      status: { mode: 'secondary', signed_in: false, may: null },
      connected: false,
    });
    await soon(() => connectTo(page, 'second'));
    await untilSame(page, 'test', 'second');
    expect(await statusOf(page, 'second')).toMatchObject({
      mode: 'secondary',
      secondary_id: 'eu',
      primary: { cluster_id: (await statusOf(page, 'test'))['cluster_id'], standing: 'primary' },
      connection: 'ready',
      sync: 'streaming',
      demoted: false,
      signed_in: true,
    });
    expect(await statusAt('second', 'kept')).toBe(200);
    expect(await statusAt('second', 'cleared')).toBe(404);
    const { items } = (
      await page.send('GET', '/api/environments/second/activity?action=replication.add-secondary')
    ).json as { items: object[] };
    expect(items).toMatchObject([{ outcome: 'succeeded', paths: ['primary=test'] }]);
  });

  test('adds a third cluster, which ends all sign-ins there', async () => {
    const { json } = await changeAt(page, 'third', 'add-secondary', { primary: 'test', id: 'us' });
    expect(json).toMatchObject({
      status: { mode: 'secondary', secondary_id: 'us', signed_in: false, may: null },
      connected: false,
    });
    await soon(() => connectTo(page, 'third'));
    await untilSame(page, 'test', 'third');
  });

  test('shows what each cluster knows of the other', async () => {
    const { json } = await post('test', '/canary');
    const seq = Number(json['seq']);
    expect(seq).toBeGreaterThan(0);
    await soon(async () => {
      expect(await statusOf(page, 'test')).toMatchObject({
        last_seq: seq,
        secondaries: [
          {
            id: 'eu',
            connection: 'connected',
            applied_seq: seq,
            lag_entries: 0,
            whole: true,
            cluster_id: (await statusOf(page, 'second'))['cluster_id'],
            heartbeat_age_ms: expect.any(Number),
            last_heartbeat_duration_ms: expect.any(Number),
            clock_skew_ms: expect.any(Number),
          },
          { id: 'us' },
        ],
      });
      expect(await statusOf(page, 'second')).toMatchObject({ last_seq: seq, lag_entries: 0 });
    });
    expect((await post('second', '/canary')).json).toMatchObject({ code: 'invalid-request' });
  });

  test('reports a local mount that was renamed for a replicated one with both paths', async () => {
    const [primary, secondary] = await Promise.all([
      clusterOf('test').direct(),
      clusterOf('second').direct(),
    ]);
    expect(await statusOf(page, 'second')).toMatchObject({ renamed_mounts: [] });
    const mount = { type: 'kv', options: { version: '2' } };
    expect((await secondary.write('sys/mounts/own', { ...mount, local: true })).status).toBe(204);
    expect((await primary.write('sys/mounts/own', mount)).status).toBe(204);
    await soon(async () => {
      expect(await statusOf(page, 'second')).toMatchObject({
        renamed_mounts: [
          {
            former_path: 'own/',
            path: expect.stringMatching(/^own-local-\d+\/$/),
            time: expect.any(String),
          },
        ],
      });
    });
    expect(await statusOf(page, 'test')).toMatchObject({ renamed_mounts: [] });
    const anonymous = await clusterOf('second').server.anonymous.read('sys/replication/performance/status');
    expect(anonymous.data).not.toHaveProperty('renamed_mounts');
    const { client_token: token } = (await secondary.write('auth/token/create', { policies: ['default'] }))
      .body['auth'] as { readonly client_token: string };
    const stranger = await clusterOf('second').server.with(token).read('sys/replication/performance/status');
    expect(stranger.data['renamed_mounts']).toEqual([]);
  });

  test('shows the standard fields without a sign-in, and the rest as unknown', async () => {
    await page.send('DELETE', '/api/environments/second/connections/secrets');
    expect(await statusOf(page, 'second')).toMatchObject({
      mode: 'secondary',
      secondary_id: 'eu',
      lag_entries: null,
      clock_skew_ms: null,
      signed_in: false,
      may: null,
    });
    expect(await get('test', '/comparison?with=second')).toMatchObject({ same: null, filtered_for: 'eu' });
    await connectTo(page, 'second');
  });

  test('a filter removes what it excludes, as its preview and both clusters report', async () => {
    const filter = { mode: 'deny', paths: ['secret'] };
    const preview = (await post('test', '/filter-preview', { secondary: 'eu', ...filter })).json as {
      items: { path: string; received: boolean; will_be_received: boolean }[];
    };
    const lost = preview.items.filter(({ received, will_be_received: will }) => received && !will);
    expect(lost).toMatchObject([{ path: 'secret' }]);
    const address = replicationAt('test', '/secondaries/eu/filter');
    const ofNothing = await page.send('PUT', address, {
      revision: 'none',
      body: { mode: 'deny', paths: [] },
    });
    expect(ofNothing.json).toMatchObject({ code: 'invalid-request', fields: [{ path: 'paths' }] });
    const saved = await page.send('PUT', address, { revision: 'none', body: filter });
    expect(saved.json).toMatchObject({ ...filter, configured: true });
    expect((await page.send('PUT', address, { revision: 'none', body: filter })).status).toBe(200);
    expect(
      (await page.send('PUT', address, { revision: 'none', body: { mode: 'allow', paths: [] } })).json,
    ).toMatchObject({ code: 'conflict', conflict: { reason: 'modified', current: filter } });
    await soon(async () => expect(await statusAt('second', 'kept')).toBe(404));
    await untilSame(page, 'test', 'second');
    const excluded = { mounts: lost.map(({ path }) => `${path}/`), namespaces: [] };
    expect.soft(await get('second', '/received-filter')).toEqual(excluded);
    const everything = { mode: 'all', paths: [] };
    expect((await page.send('PUT', address, { revision: 'stale', body: everything })).json).toMatchObject({
      code: 'conflict',
    });
    const kept = String(saved.json['revision']);
    expect((await page.send('PUT', address, { revision: kept, body: everything })).json).toMatchObject({
      ...everything,
      configured: false,
      revision: 'none',
    });
    await soon(async () => expect(await statusAt('second', 'kept')).toBe(200));
    const again = await page.send('PUT', address, { revision: 'none', body: filter });
    const revision = String(again.json['revision']);
    expect((await page.send('DELETE', address, { revision: 'stale' })).json).toMatchObject({
      code: 'conflict',
    });
    expect((await page.send('DELETE', address, { revision })).status).toBe(204);
    expect((await page.send('DELETE', address, { revision })).json).toMatchObject({ code: 'not-found' });
    await soon(async () => expect(await statusAt('second', 'kept')).toBe(200));
  });

  test("doesn't promote a secondary while its primary is running, unless forced", async () => {
    await untilSame(page, 'test', 'second');
    expect((await post('second', '/promote', {})).json).toMatchObject({
      code: 'invalid-request',
      detail:
        'The primary is running, and with two primaries, writes may be lost. Demote that primary first.',
      fields: [{ path: 'force' }],
    });
  });

  test('demotes the primary, though the answer is lost', async () => {
    await write('test', 'last', 'one');
    clusterOf('test').proxy.onRequest = (bytes) => {
      if (bytes.toString('latin1').startsWith('POST /v1/sys/replication/performance/primary/demote'))
        clusterOf('test').proxy.cutNext = 0;
    };
    const { json } = await changeAt(page, 'test', 'demote');
    delete clusterOf('test').proxy.onRequest;
    expect(json).toMatchObject({ status: { mode: 'secondary', primary: null, demoted: true }, warnings: [] });
    expect((await post('test', '/demote')).json).toMatchObject({
      code: 'invalid-request',
      detail: 'Only a primary can do this, and this cluster is a secondary.',
    });
  });

  test('promotes its secondary once that has everything, and the old primary follows it', async () => {
    await soon(async () => {
      const promoted = await post('second', '/promote', {});
      expect(promoted.json, promoted.text).toMatchObject({ status: { mode: 'primary' } });
    });
    const { json } = await changeAt(page, 'test', 'update-primary', {
      kind: 'environment',
      primary: 'second',
      id: 'old',
    });
    // Nothing was cleared, so the caller is still signed in.
    expect(json).toMatchObject({ status: { mode: 'secondary', secondary_id: 'old' }, connected: true });
    await untilSame(page, 'second', 'test');
    expect(await statusAt('second', 'last')).toBe(200);
    expect(await get('test', '/lost-writes')).toEqual({ items: [], total: 0 });
    await write('second', 'after', 'two');
    await soon(async () => expect(await statusAt('test', 'after')).toBe(200));
  });

  test('points the other secondary to the new primary without clearing it', async () => {
    const body = { kind: 'environment', primary: 'second', id: 'us' };
    expect((await changeAt(page, 'third', 'update-primary', body)).json).toMatchObject({
      status: { secondary_id: 'us' },
      connected: true,
    });
    await untilSame(page, 'second', 'third');
    expect(await statusAt('third', 'after')).toBe(200);
    expect(await get('third', '/lost-writes')).toEqual({ items: [], total: 0 });
  });

  test('keeps each change with its outcome, newest first', async () => {
    const { items } = (await get('second', '/transitions')) as { items: { operation: string }[] };
    // An activation is also a transition, and came later.
    expect(items.at(0)).toMatchObject({
      operation: 'primary/secondary-token',
      from: 'primary',
      to: 'primary',
    });
    expect(items.find(({ operation }) => operation === 'secondary/promote')).toMatchObject({
      operation: 'secondary/promote',
      from: 'secondary',
      to: 'primary',
      outcome: 'done',
      why: null,
      warnings: [expect.any(String)],
    });
    expect(items).toContainEqual(
      expect.objectContaining({
        operation: 'secondary/promote',
        outcome: 'refused',
        why: expect.stringContaining('Demote it first'),
        warnings: [],
      }),
    );
  });

  test('lets a secondary use other addresses of its primary, or forget it', async () => {
    expect(
      (await post('test', '/update-primary', { kind: 'addresses', addresses: ['127.0.0.1:1'] })).json,
    ).toMatchObject({ code: 'invalid-request', fields: [{ path: 'addresses' }] });
    const { primary } = (await statusOf(page, 'test')) as { primary: { cluster_address: string } };
    await changeAt(page, 'test', 'update-primary', {
      kind: 'addresses',
      addresses: ['127.0.0.1:1', primary.cluster_address],
    });
    expect(await statusOf(page, 'test')).toMatchObject({
      primary: { known_addresses: [primary.cluster_address] },
    });
    const { json } = await changeAt(page, 'test', 'update-primary', { kind: 'forget' });
    expect(json).toMatchObject({ status: { mode: 'secondary', primary: null } });
  });

  test('disables replication on either side', async () => {
    expect((await changeAt(page, 'test', 'disable-secondary')).json).toMatchObject({
      status: { mode: 'disabled' },
    });
    expect((await changeAt(page, 'second', 'disable-primary')).json).toMatchObject({
      status: { mode: 'disabled' },
    });
    expect((await post('second', '/disable-primary')).json).toMatchObject({
      detail: 'Replication is disabled on this cluster.',
    });
  });
});

describe('an activation that leaves the console', () => {
  beforeAll(() => started());
  afterAll(ended);

  test('can be used once, and revoked by its identifier', async () => {
    await changeAt(page, 'test', 'enable-primary', {});
    const created = await post('test', '/activation-tokens', { id: 'outside', ttl: '5m' });
    expect(created.json).toMatchObject({ encrypted: false, expire_time: expect.any(String) });
    expect((await post('test', '/activation-tokens', { id: 'outside' })).json).toMatchObject({
      code: 'invalid-request',
      fields: [{ path: 'id' }],
    });
    const direct = await clusterOf('second').direct();
    const enabled = await direct.write('sys/replication/performance/secondary/enable', {
      token: created.json['token'],
    });
    expect(enabled.status, enabled.text).toBe(200);
    // The console's token was cleared with everything else there.
    expect(await statusOf(page, 'second')).toMatchObject({ mode: 'secondary', signed_in: false });
    await soon(() => connectTo(page, 'second'));
    await untilSame(page, 'test', 'second');
    const revoked = await page.send('DELETE', replicationAt('test', '/secondaries/outside'));
    expect(revoked.json).toMatchObject({ status: { mode: 'primary', secondaries: [] } });
    await soon(async () => expect(await statusOf(page, 'second')).toMatchObject({ connection: 'denied' }));
    expect((await page.send('DELETE', replicationAt('test', '/secondaries/outside'))).json).toMatchObject({
      code: 'not-found',
    });
  });

  test('reports writes that a forced promotion may leave behind', async () => {
    await write('test', 'only-here', 'one');
    await changeAt(page, 'second', 'promote', { force: true });
    await changeAt(page, 'test', 'demote');
    await write('second', 'other', 'two');
    await changeAt(page, 'test', 'update-primary', { kind: 'environment', primary: 'second', id: 'old' });
    await untilSame(page, 'second', 'test');
    expect(await get('test', '/lost-writes')).toMatchObject({
      items: [{ seq: expect.any(Number), records: [expect.stringContaining('only-here')] }],
    });
    expect(await statusAt('test', 'only-here')).toBe(404);
  });

  test('lists lost writes page by page, and deletes those that were dealt with', async () => {
    const { items, total } = (await get('test', '/lost-writes')) as {
      items: { id: number }[];
      total: number;
    };
    expect(total).toBe(items.length);
    const newest = items[0]?.id ?? 0;
    expect(await get('test', '/lost-writes?limit=1')).toEqual({ items: items.slice(0, 1), total });
    expect(await get('test', `/lost-writes?before=${newest}`)).toEqual({ items: items.slice(1), total });
    const path = replicationAt('test', '/lost-writes/delete');
    const answer = await page.send('POST', path, { body: { up_to: newest } });
    expect(answer.json).toEqual({ deleted: total });
    expect(await get('test', '/lost-writes')).toEqual({ items: [], total: 0 });
  });

  test("shows what a cluster was while it doesn't respond", async () => {
    const { cluster_id: id, primary_cluster_addr: address } = await statusOf(page, 'second');
    const known = { mode: 'primary', cluster_id: id, cluster_address: address, time: expect.any(String) };
    expect(await get('second', '/last-known')).toEqual({ known });
    const outside = await page.send('GET', replicationAt('nowhere', '/last-known'));
    expect(outside.json).toMatchObject({ code: 'not-found' });
  });
});

test('refuses changes by users without the rights', async () => {
  await started();
  const reader = await live.signedIn('read-only');
  const answer = await reader.send('POST', replicationAt('test', '/enable-primary'), { body: {} });
  expect(answer.json).toMatchObject({ code: 'forbidden' });
  expect(await statusOf(reader, 'test')).toMatchObject({ mode: 'disabled', may: { enable_primary: false } });
  expect((await reader.send('GET', replicationAt('test', '/nodes'))).json).toMatchObject({ source: null });
  expect(await get('test', '/last-known')).toMatchObject({ known: { mode: 'disabled' } });
  expect(await get('second', '/last-known')).toEqual({ known: null });
  expect(await get('test', '/nodes')).toMatchObject({ source: 'ha-status', nodes: [{ role: 'active' }] });
  await ended();
});
