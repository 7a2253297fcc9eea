import type { ReplicationMay } from '@gatehouse/api-types/console/replication-status';
import { expect, test } from 'vitest';
import type { Cluster } from '../-clusters/cluster.ts';
import {
  aloneCluster,
  disabledCluster,
  primaryCluster,
  secondaryCluster,
  unreadClusterOf,
} from '../-clusters/sample-clusters.ts';
import { possibleActs } from './possible.ts';

const possible = (cluster: Cluster) =>
  possibleActs(cluster)
    ?.filter(({ reason }) => reason === undefined)
    .map(({ act }) => act);

test('offers exactly the actions that the server accepts in each mode', () => {
  expect(possible(disabledCluster('a'))).toEqual(['enable-primary', 'become-secondary']);
  expect(possible(primaryCluster('a'))).toEqual([
    'add-secondary',
    'create-token',
    'write-canary',
    'demote',
    'disable',
  ]);
  expect(possible(secondaryCluster('b', 'a'))).toEqual(['promote', 'update-primary', 'disable']);
  expect(possible(aloneCluster('b'))).toEqual(['promote', 'update-primary', 'disable']);
  expect(possibleActs(unreadClusterOf('a'))).toBeUndefined();
});

test('never offers to wipe a cluster with data', () => {
  for (const cluster of [primaryCluster('a'), secondaryCluster('b', 'a'), aloneCluster('c')]) {
    const act = possibleActs(cluster)?.find((other) => other.act === 'become-secondary');
    expect(act?.reason).toContain('which deletes nothing');
  }
});

test('gives a forbidding policy as the reason, and leaves unknown permissions to the server', () => {
  const may = {
    enable_primary: true,
    demote: false,
    disable_primary: false,
    create_token: true,
    revoke: true,
    read_filter: true,
    save_filter: true,
    delete_filter: true,
    enable_secondary: true,
    promote: true,
    disable_secondary: true,
    update_primary: true,
    read_digest: true,
    write_canary: true,
    read_transitions: true,
    read_lost_writes: true,
    delete_lost_writes: true,
  } satisfies ReplicationMay;
  expect(possible(primaryCluster('a', { may }))).toEqual(['add-secondary', 'create-token', 'write-canary']);
  expect(possible(secondaryCluster('b', 'a', { may }))).toContain('disable');
});
