import { turnsBefore } from '@gatehouse/service-kit/testing/turns-before';
import { expect, test } from 'vitest';
import { linkProxy } from '#testing/link-proxy.ts';
import { openPrimary, openSecondary } from '#testing/linked-clusters.ts';
import type { LinkedPrimary, LinkedSecondary } from '#testing/linked-clusters.ts';
import { filterHash } from './filter-hash.ts';

const key = Buffer.alloc(32, 7);

/** With long heartbeats, only writes wake a stream. */
const patient = { heartbeatMs: 60_000, deadlineMs: 60_000 };

const noWait = () => Promise.resolve();

/** Waits until a secondary has all writes of its primary, and compares their records. */
async function expectEqual(primary: LinkedPrimary, secondary: LinkedSecondary): Promise<void> {
  const [filter] = secondary.told.filters.at(-1) ?? [];
  const wanted = await primary.cluster.replication.digest(key, filter, noWait);
  const { replication } = secondary.cluster;
  await expect
    .poll(() => ({ ...replication.position(), whole: replication.whole() }), { interval: 2 })
    .toEqual({ ...primary.cluster.replication.position(), whole: true });
  expect(await replication.digest(key, undefined, noWait)).toEqual(wanted);
}

/** Blocks a secondary's application of a snapshot from its first chunk. */
function holdSnapshot({ cluster: { replication } }: LinkedSecondary) {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const snapshotChunk = replication.snapshotChunk.bind(replication);
  replication.snapshotChunk = async (chunk) => {
    begun.resolve();
    await released.promise;
    await snapshotChunk(chunk);
  };
  return { begun: begun.promise, release: () => released.resolve() };
}

const isReady = (secondary: LinkedSecondary) =>
  expect.poll(() => secondary.following.state().connection, { interval: 2 }).toBe('ready');

test('a new secondary receives a snapshot, and later writes in order', async () => {
  await using primary = await openPrimary();
  const mount = await primary.mountAt('secret/');
  await primary.put(mount, 'a', '{"n":1}');
  await using secondary = await openSecondary(await primary.activate('berlin'));
  await expectEqual(primary, secondary);
  expect(secondary.valueAt('secret/', 'a')).toBe('{"n":1}');
  expect(secondary.told.filters).toEqual([[undefined, '']]);

  await Promise.all(Array.from({ length: 40 }, (_, n) => primary.put(mount, `k${n % 7}`, `{"n":${n}}`)));
  await expectEqual(primary, secondary);
  expect(secondary.valueAt('secret/', 'k4')).toBe('{"n":39}');
});

test('a snapshot for a secondary is read in its turn', async () => {
  await using primary = await openPrimary();
  await primary.put(await primary.mountAt('secret/'), 'a', '{"n":1}');
  const activation = await primary.activate('berlin');
  await using opened = new AsyncDisposableStack();
  const receive = async () => {
    const secondary = opened.use(await openSecondary(activation));
    await expect.poll(() => secondary.told.filters.length, { interval: 1 }).toBe(1);
  };
  expect(await turnsBefore(receive, true)).toBe(20);
});

test('entries continue after any disconnection without gaps or duplicates', async () => {
  await using primary = await openPrimary();
  await using relay = await linkProxy(() => primary.serving.port);
  const mount = await primary.mountAt('secret/');
  await using secondary = await openSecondary(await primary.activate('berlin', relay.address));
  await expectEqual(primary, secondary);
  for (const bytes of [1, 50, 700, 3000]) {
    const { accepted } = relay;
    relay.dropAfter(bytes);
    for (let n = 0; relay.accepted === accepted; n += 1) {
      await primary.put(mount, `k${n % 5}`, JSON.stringify({ bytes, n, filler: 'x'.repeat(100) }));
    }
    await expectEqual(primary, secondary);
  }
  // Only the snapshot at the beginning: all else came as entries.
  expect(secondary.told.filters).toHaveLength(1);
});

test('an interrupted snapshot starts over, and until it ends the records are not whole', async () => {
  await using primary = await openPrimary();
  const mount = await primary.mountAt('secret/');
  const value = JSON.stringify({ filler: 'x'.repeat(100_000) });
  for (let n = 0; n < 10; n += 1) await primary.put(mount, `k${n}`, value);
  await using relay = await linkProxy(() => primary.serving.port);
  relay.cutAfter(600_000);
  await using secondary = await openSecondary(await primary.activate('berlin', relay.address));
  await expect.poll(() => secondary.following.state().connection, { interval: 2 }).toBe('disconnected');
  expect(secondary.cluster.replication.whole()).toBe(false);
  expect(secondary.following.state()).toMatchObject({ sync: 'idle', lagEntries: undefined });
  relay.heal();
  await expectEqual(primary, secondary);
});

test('a restarted cluster continues after its last entry', async () => {
  await using primary = await openPrimary(patient);
  const mount = await primary.mountAt('secret/');
  await using secondary = await openSecondary(await primary.activate('berlin'), patient);
  await expectEqual(primary, secondary);
  await secondary.following.close();
  for (let n = 0; n < 1200; n += 1) void primary.put(mount, `k${n % 9}`, `{"n":${n}}`);
  await primary.put(mount, 'last', '{}');
  await primary.reopen();
  await secondary.restart();
  await expectEqual(primary, secondary);
  expect(secondary.told.filters).toHaveLength(1);

  // If the records are not whole, entries are not enough.
  await secondary.following.close();
  await secondary.cluster.replication.beginSnapshot(primary.cluster.replication.position(), undefined);
  await secondary.restart();
  await expectEqual(primary, secondary);
  expect(secondary.told.filters).toHaveLength(2);
});

test('a cluster with writes that its primary never had is notified, keeps them as lost, and then equals its primary', async () => {
  await using first = await openPrimary();
  const mount = await first.mountAt('secret/');
  await first.put(mount, 'a', '{"of":"both"}');
  await using second = await openSecondary(await first.activate('berlin'));
  await expectEqual(first, second);
  await second.following.close();
  await first.put(mount, 'a', '{"of":"first"}');
  await first.put(mount, 'b', '{"of":"first"}');
  await first.serving.close();

  // The second cluster is promoted, and the first follows it.
  await using promoted = await openPrimary({}, second.cluster);
  const there = await promoted.mountAt('other/');
  await promoted.put(there, 'c', '{"of":"second"}');
  await using rejoined = await openSecondary(await promoted.activate('paris'), {}, first.cluster);
  await expectEqual(promoted, rejoined);
  expect(rejoined.told.lost).toEqual([2]);
  expect(rejoined.following.state().lostWrites).toBe(2);
  expect(first.cluster.replication.lost().flatMap(({ records }) => records)).toHaveLength(2);
  expect(rejoined.valueAt('secret/', 'a')).toBe('{"of":"both"}');
});

test('a cluster without writes of its own continues after a promotion without a snapshot', async () => {
  await using first = await openPrimary();
  const mount = await first.mountAt('secret/');
  await using second = await openSecondary(await first.activate('berlin'));
  await first.put(mount, 'a', '{}');
  await expectEqual(first, second);
  await second.following.close();
  await first.serving.close();
  await using promoted = await openPrimary({}, second.cluster);
  await using rejoined = await openSecondary(await promoted.activate('paris'), {}, first.cluster);
  // Nothing was written since the promotion, but the histories are equal.
  await expectEqual(promoted, rejoined);
  expect(rejoined.told.filters).toEqual([]);
  expect(rejoined.told.lost).toEqual([]);
});

test('a changed filter is applied to the existing records', async () => {
  await using primary = await openPrimary();
  const [secret, team] = [await primary.mountAt('secret/'), await primary.mountAt('team/')];
  await primary.put(secret, 'a', '{}');
  await primary.put(team, 'b', '{}');
  await using secondary = await openSecondary(await primary.activate('berlin'));
  await expectEqual(primary, secondary);

  const filter = { mode: 'deny', paths: ['team/'] } as const;
  primary.filters.set('berlin', filter);
  primary.serving.disconnect('berlin');
  await expect
    .poll(() => secondary.told.filters.at(-1), { interval: 2 })
    .toEqual([filter, filterHash(filter)]);
  await expect.poll(() => secondary.valueAt('team/', 'b'), { interval: 2 }).toBeUndefined();
  await primary.put(team, 'b', '{"n":2}');
  await primary.put(secret, 'a', '{"n":2}');
  await expectEqual(primary, secondary);
  // The records were received under this filter, so a restart needs no snapshot.
  await secondary.restart();
  await isReady(secondary);
  expect(secondary.told.filters).toHaveLength(2);

  primary.filters.delete('berlin');
  primary.serving.disconnect('berlin');
  await expect.poll(() => secondary.told.filters.at(-1), { interval: 2 }).toEqual([undefined, '']);
  await expect.poll(() => secondary.valueAt('team/', 'b'), { interval: 2 }).toBe('{"n":2}');
  await expectEqual(primary, secondary);
});

test('a stream that hangs is closed and opened again', async () => {
  await using primary = await openPrimary();
  await using relay = await linkProxy(() => primary.serving.port);
  await using secondary = await openSecondary(await primary.activate('berlin', relay.address), {
    heartbeatMs: 20,
    deadlineMs: 150,
  });
  await expectEqual(primary, secondary);
  relay.hold();
  await expect
    .poll(() => secondary.following.state(), { interval: 5 })
    .toMatchObject({
      why: expect.stringMatching(/stopped answering/),
      connection: 'disconnected',
      lagEntries: undefined,
    });
  relay.heal();
  const mount = await primary.mountAt('secret/');
  await primary.put(mount, 'a', '{}');
  await expectEqual(primary, secondary);

  // A server that accepts the connection but never answers is given up, too.
  relay.hold();
  await secondary.restart();
  const { accepted } = relay;
  await expect.poll(() => relay.accepted, { interval: 5 }).toBeGreaterThan(accepted + 1);
  expect(secondary.following.state().why).toMatch(/stopped answering/);
});

test('a primary ends the stream of a silent secondary', async () => {
  await using primary = await openPrimary({ heartbeatMs: 50, deadlineMs: 200 });
  await using relay = await linkProxy(() => primary.serving.port);
  await using secondary = await openSecondary(await primary.activate('berlin', relay.address), {
    heartbeatMs: 20,
  });
  await expectEqual(primary, secondary);
  await expect.poll(() => primary.serving.secondaries(), { interval: 5 }).toHaveLength(1);
  relay.hold();
  await expect.poll(() => primary.serving.secondaries(), { interval: 5 }).toEqual([]);
});

test('a missing primary is retried after pauses, one address after another', async () => {
  await using primary = await openPrimary();
  const { port } = primary.serving;
  await using nobody = await linkProxy(() => 1);
  const credentials = await primary.activate('berlin', nobody.address, `127.0.0.1:${port}`);
  await primary.serving.close();
  await using secondary = await openSecondary(credentials);
  await expect.poll(() => nobody.accepted, { interval: 2 }).toBeGreaterThan(2);
  expect(secondary.following.state()).toMatchObject({ connection: 'disconnected', sync: 'idle' });
  expect(secondary.following.state().why).toMatch(
    /^Can't reach the primary at 127\.0\.0\.1:\d+ \(ECONN\w+\)\.$|ended\.$/,
  );
  await primary.reopen();
  await expectEqual(primary, secondary);
  expect(secondary.following.state()).toMatchObject({
    connection: 'ready',
    address: `127.0.0.1:${port}`,
    why: undefined,
  });
});

test("both sides report each other's position, and undefined for unknown values", async () => {
  await using primary = await openPrimary();
  const mount = await primary.mountAt('secret/');
  const credentials = await primary.activate('berlin');
  await using secondary = await openSecondary(credentials, { heartbeatMs: 20 });
  expect(secondary.following.state()).toMatchObject({
    connection: 'connecting',
    lagEntries: undefined,
    primarySeq: undefined,
    lastHeartbeat: undefined,
    clockSkewMs: undefined,
    canaryAgeMs: undefined,
  });
  // A round trip of an odd number of milliseconds has its middle between two of them.
  secondary.cluster.clock.setWall(primary.cluster.clock.now() + 4999.5);
  await primary.put(mount, 'a', '{}');
  await expectEqual(primary, secondary);
  const { seq } = primary.cluster.replication.position();
  await expect
    .poll(() => primary.serving.secondaries(), { interval: 5 })
    .toMatchObject([
      {
        id: 'berlin',
        apiAddress: 'http://secondary',
        clusterAddress: 'secondary:8201',
        connected: true,
        appliedSeq: seq,
        lagEntries: 0,
        canaryAgeMs: 0,
        clockSkewMs: 5000,
        lastHeartbeatDurationMs: 0,
        lastHeartbeat: primary.cluster.clock.now(),
        whole: true,
      },
    ]);
  await expect
    .poll(() => secondary.following.state(), { interval: 5 })
    .toMatchObject({
      connection: 'ready',
      sync: 'stream',
      primaryStanding: 'primary',
      primarySeq: seq,
      lagEntries: 0,
      canaryAgeMs: 0,
      clockSkewMs: 5000,
      lastHeartbeatDurationMs: 0,
    });
  await secondary.following.close();
  await expect.poll(() => primary.serving.secondaries(), { interval: 2 }).toEqual([]);
  expect(primary.records.get('berlin')).toMatchObject({ appliedSeq: seq, apiAddress: 'http://secondary' });
});

test('a demoted primary serves its remaining entries to new and existing streams and reports its demotion', async () => {
  await using primary = await openPrimary(patient);
  const mount = await primary.mountAt('secret/');
  await using here = await openSecondary(await primary.activate('berlin'), patient);
  const late = await primary.activate('paris');
  await expectEqual(primary, here);
  void primary.put(mount, 'a', '{}');
  await primary.put(mount, 'b', '{}');
  primary.serving.demote();
  await expect.poll(() => here.following.state().primaryStanding, { interval: 2 }).toBe('demoted');
  expect(here.following.state()).toMatchObject({ lagEntries: 0, connection: 'ready' });
  await using away = await openSecondary(late);
  await expectEqual(primary, away);
  expect(away.following.state().primaryStanding).toBe('demoted');
});

test('the primary reads a snapshot no faster than the secondary receives it', async () => {
  await using primary = await openPrimary(patient);
  const mount = await primary.mountAt('secret/');
  const value = JSON.stringify({ filler: 'x'.repeat(400_000) });
  for (let n = 0; n < 12; n += 1) await primary.put(mount, `k${n}`, value);
  let read = 0;
  const from = primary.cluster.replication;
  const snapshot = from.snapshot.bind(from);
  from.snapshot = (...asked) => {
    const { position, chunks } = snapshot(...asked);
    async function* counted() {
      for await (const chunk of chunks) {
        read += 1;
        yield chunk;
      }
    }
    return { position, chunks: counted() };
  };
  await using secondary = await openSecondary(await primary.activate('berlin'), { heartbeatMs: 20 });
  const held = holdSnapshot(secondary);
  // By this point a second report was answered while the stream was blocked.
  const reports = () => primary.serving.secondaries()[0]?.lastHeartbeatDurationMs;
  await expect.poll(reports, { interval: 2 }).toBe(0);
  expect(read).toBeLessThan(6);
  held.release();
  await expectEqual(primary, secondary);
  expect(read).toBeGreaterThan(11);
});

test('a record arrives even if its transfer takes longer than the silence limit', async () => {
  await using primary = await openPrimary(patient);
  await using relay = await linkProxy(() => primary.serving.port);
  await using secondary = await openSecondary(await primary.activate('berlin', relay.address), {
    heartbeatMs: 20,
    deadlineMs: 400,
  });
  await expectEqual(primary, secondary);
  relay.paceMs = 8;
  const mount = await primary.mountAt('secret/');
  await primary.put(mount, 'a', JSON.stringify({ filler: 'x'.repeat(4_000_000) }));
  await expectEqual(primary, secondary);
});

test('a revoked secondary is disconnected even if it reads nothing', async () => {
  await using primary = await openPrimary(patient);
  await using relay = await linkProxy(() => primary.serving.port);
  const mount = await primary.mountAt('secret/');
  const value = JSON.stringify({ filler: 'x'.repeat(400_000) });
  for (let n = 0; n < 12; n += 1) await primary.put(mount, `k${n}`, value);
  await using secondary = await openSecondary(await primary.activate('berlin', relay.address));
  const held = holdSnapshot(secondary);
  await held.begun;
  relay.hold();
  held.release();
  expect(primary.serving.secondaries()).toHaveLength(1);
  primary.records.delete('berlin');
  primary.serving.disconnect('berlin');
  await expect.poll(() => primary.serving.secondaries(), { interval: 5 }).toEqual([]);
});

test("an entry that can't be applied is retried", async () => {
  await using primary = await openPrimary();
  await using secondary = await openSecondary(await primary.activate('berlin'));
  await expectEqual(primary, secondary);
  const store = secondary.cluster.replication;
  const apply = store.apply.bind(store);
  let isFull = true;
  store.apply = async (...given) => {
    if (isFull) throw new Error('the disk is full');
    await apply(...given);
  };
  const mount = await primary.mountAt('secret/');
  await expect
    .poll(() => secondary.following.state().why, { interval: 1 })
    .toMatch(/couldn't be applied here/);
  isFull = false;
  await primary.put(mount, 'a', '{}');
  await expectEqual(primary, secondary);
  expect(secondary.told.filters).toHaveLength(1);
});

test('closing ends promptly even if the other side hangs', async () => {
  await using primary = await openPrimary();
  await using relay = await linkProxy(() => primary.serving.port);
  const value = JSON.stringify({ filler: 'x'.repeat(400_000) });
  const mount = await primary.mountAt('secret/');
  for (let n = 0; n < 12; n += 1) await primary.put(mount, `k${n}`, value);
  await using secondary = await openSecondary(await primary.activate('berlin', relay.address));
  const held = holdSnapshot(secondary);
  await held.begun;
  relay.hold();
  held.release();
  await secondary.following.close();
  expect(secondary.cluster.replication.whole()).toBe(false);
  // The primary still has an unread message for the secondary.
  await primary.serving.close();
  expect(primary.serving.secondaries()).toEqual([]);
});
