import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openPrimary, openSecondary } from '#testing/linked-clusters.ts';
import { openReplicatedStore } from '../../testing/replicated-store.ts';
import { patienceOf } from '../link/patience.ts';
import type { SecondaryCredentials } from '../link/types.ts';
import { checkPromotion, confirmPromotion } from './promotion.ts';
import type { SecondaryRole } from './role.ts';

const patience = () => patienceOf(5000, 5000);
const secondaries = { list: () => [] };

const roleOf = (credentials: SecondaryCredentials): SecondaryRole => ({
  mode: 'secondary',
  clusterId: randomUUID(),
  digestKey: '',
  credentials,
  primaryApiAddress: '',
  filterHash: '',
  heard: { seq: 0, time: 0 },
});

test("a primary that doesn't answer a ping in time still counts as running while its entries arrive", async () => {
  await using primary = await openPrimary();
  const credentials = await primary.activate('berlin');
  await using secondary = await openSecondary(credentials);
  await expect.poll(() => secondary.following.state().sync, { interval: 2 }).toBe('stream');
  const { clock, replication: store } = secondary.cluster;
  const check = () =>
    checkPromotion(roleOf({ ...credentials, addresses: ['127.0.0.1:1'] }), {
      runtime: { serving: undefined, following: secondary.following },
      store,
      secondaries,
      clock,
      patience,
    });
  await expect(check()).rejects.toThrow(/is running, and two primaries may lose data/);
  primary.serving.demote();
  await expect
    .poll(() => secondary.following.state(), { interval: 2 })
    .toMatchObject({ primaryStanding: 'demoted', lagEntries: 0 });
  expect(await check()).toEqual([expect.stringMatching(/^The primary doesn't respond/)]);
});

test('entry numbers of a different history are not compared', async () => {
  await using demoted = await openPrimary({ standing: 'demoted' });
  const credentials = await demoted.activate('berlin');
  await using own = await openReplicatedStore();
  await own.replication.beginEpoch(false);
  for (let n = 0; n < 5; n += 1) await own.replication.touch(own.clock.now());
  expect(own.replication.position().seq).toBeGreaterThan(demoted.cluster.replication.position().seq);
  await expect(
    checkPromotion(roleOf(credentials), {
      runtime: { serving: undefined, following: undefined },
      store: own.replication,
      secondaries,
      clock: own.clock,
      patience,
    }),
  ).rejects.toThrow(/this cluster isn't a copy of the demoted primary/);
});

/** A demoted primary and an up-to-date secondary, with the checks before the secondary's promotion. */
async function openDemoted() {
  const primary = await openPrimary({ standing: 'demoted' });
  const credentials = await primary.activate('berlin');
  const secondary = await openSecondary(credentials);
  await expect.poll(() => secondary.following.state().lagEntries, { interval: 2 }).toBe(0);
  const { clock, replication: store } = secondary.cluster;
  const runtime = { serving: undefined, following: secondary.following };
  const parts = { runtime, store, secondaries, clock, patience };
  return {
    primary,
    check: () => checkPromotion(roleOf(credentials), parts),
    checkUnaware: () =>
      checkPromotion(roleOf(credentials), { ...parts, runtime: { ...runtime, following: undefined } }),
    secondary,
    confirm: (by = credentials) => confirmPromotion(roleOf(by), parts),
    async [Symbol.asyncDispose]() {
      await secondary[Symbol.asyncDispose]();
      await primary[Symbol.asyncDispose]();
    },
  };
}

test('a demoted primary that is being promoted answers as the primary before it checks its secondaries', async () => {
  await using it = await openDemoted();
  expect(await it.check()).toEqual([]);
  it.primary.serving.announce(true);
  await expect(it.check()).rejects.toThrow(/is running, and two primaries may lose data/);
  await expect(it.confirm()).rejects.toThrow(/is being promoted, or has agreed.*try again/);
  it.primary.serving.announce(false);
  expect(await it.check()).toEqual([]);
});

test('a demoted primary marks a secondary that is being promoted as disconnected before it answers', async () => {
  await using it = await openDemoted();
  const connected: number[] = [];
  it.primary.beforeSave = async () => {
    connected.push(it.primary.serving.secondaries().length);
  };
  await it.confirm();
  expect(connected).toContain(0);
});

test('a demoted primary agrees to the promotion of one secondary, until that one follows it again', async () => {
  await using it = await openDemoted();
  const other = await it.primary.activate('madrid');
  await it.secondary.following.close();
  await it.confirm();
  await expect(it.confirm(other)).rejects.toThrow(/agreed to the promotion of another secondary/);
  await it.confirm();
  await it.secondary.restart();
  await expect.poll(() => it.confirm(other)).toBeUndefined();
});

test('a promotion waits for a demoted primary that closes its port to become the primary again, even if its demotion is not known yet', async () => {
  await using it = await openDemoted();
  await it.primary.serving.close();
  const checked = [it.check(), it.checkUnaware()].map((check) =>
    expect(check).rejects.toThrow(/is running, and two primaries may lose data/),
  );
  await it.primary.reopen({ standing: 'primary' });
  await Promise.all(checked);
});
