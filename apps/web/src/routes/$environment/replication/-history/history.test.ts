import { expect, test } from 'vitest';
import { lostDependOn } from '../-clusters/cluster.ts';
import { secondaryCluster } from '../-clusters/sample-clusters.ts';
import { secretOf } from './lost-record.ts';
import { operationWords } from './operation-words.ts';

const mounts = ['team', 'team/kv', 'secret'];

test("finds a version's secret in the engine with the longest matching path", () => {
  expect(secretOf('secret/late version 1', mounts)).toEqual({ mount: 'secret', path: 'late' });
  expect(secretOf('team/kv/a/b version 2 version 12', mounts)).toEqual({
    mount: 'team/kv',
    path: 'a/b version 2',
  });
});

test.each(['mount team/', 'policy admin', 'elsewhere/a version 1', 'secretly/a version 1', 'secret/a'])(
  'reads %s as no version of a known secret',
  (record) => {
    expect(secretOf(record, mounts)).toBeUndefined();
  },
);

test('reads lost writes again when a cluster begins to receive, and after a full copy', () => {
  const states = (['idle', 'receiving', 'streaming'] as const).map((sync) =>
    lostDependOn(secondaryCluster('b', 'a', { sync })),
  );
  expect(new Set(states).size).toBe(3);
});

test('names operations as buttons do', () => {
  expect(operationWords('secondary/update-primary')).toBe('Change primary');
  expect(operationWords('primary/reindex')).toBe('Other change');
});
