import type { ComparedCluster, ReplicationComparison } from '@gatehouse/api-types/console/replication-status';
import { expect, test } from 'vitest';
import { verdictOf } from './compare-pair.ts';

const digest = { seq: 7, epoch: 'e', digest: 'ab', records: 1204 };
const cluster = (environment: string, more: Partial<ComparedCluster> = {}): ComparedCluster => ({
  environment,
  mode: 'secondary',
  cluster_id: null,
  seq: 7,
  digest,
  ...more,
});
const found = (
  more: Partial<ReplicationComparison>,
  first: Partial<ComparedCluster> = {},
): ReturnType<typeof verdictOf> =>
  verdictOf(
    {
      clusters: [cluster('a', first), cluster('b')],
      filtered_for: null,
      same: null,
      behind: 0,
      ...more,
    },
    (id) => id.toUpperCase(),
  );

test('counts only matching digests at one position as equal, and unknown ones as unequal', () => {
  expect(found({ same: true })).toEqual({
    isEqual: true,
    words: 'A and B have the same 1,204 records at entry 7.',
  });
  expect(found({ same: false })).toMatchObject({
    isEqual: false,
    words: expect.stringMatching(/records differ/) as string,
  });
  expect(found({ same: null }, { digest: null })).toMatchObject({
    isEqual: false,
    words: expect.stringMatching(/A returned no digest/) as string,
  });
  expect(found({ same: null, behind: 3 })).toMatchObject({
    isEqual: false,
    words: expect.stringMatching(/^B lacks 3 entries/) as string,
  });
  expect(found({ same: null, behind: -3 })).toMatchObject({
    isEqual: false,
    words: expect.stringMatching(/^A lacks 3 entries/) as string,
  });
  expect(found({ same: null })).toMatchObject({
    isEqual: false,
    words: expect.stringMatching(/different primaries/) as string,
  });
});

test('says that a filter was applied', () => {
  expect(found({ same: true, filtered_for: 'eu' }).words).toContain('paths filter of eu');
});
