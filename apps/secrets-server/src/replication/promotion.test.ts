import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openPrimary, openSecondary } from '#testing/linked-clusters.ts';
import { openReplicatedStore } from '../testing/replicated-store.ts';
import { patienceOf } from './link/patience.ts';
import type { SecondaryCredentials } from './link/types.ts';
import { checkPromotion } from './promotion.ts';
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

test('a primary that does not answer a ping in time runs all the same while entries come', async () => {
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
  await expect.poll(() => secondary.following.state().primaryStanding, { interval: 2 }).toBe('demoted');
  await expect.poll(check, { interval: 2 }).toEqual([expect.stringMatching(/^The primary doesn't answer/)]);
});

test('the numbers of another history say nothing of what is missing', async () => {
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
