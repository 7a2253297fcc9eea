import { silentLog } from '@gatehouse/service-kit/log';
import { expect, test } from 'vitest';
import { replicationRecords } from '../store/replication/record-store.ts';
import { openReplicatedStore } from '../testing/replicated-store.ts';
import type { Role } from './role.ts';
import { openRuntime } from './runtime.ts';
import { openSecondaries } from './secondaries.ts';

const secondary: Role = {
  mode: 'secondary',
  clusterId: 'cluster',
  digestKey: '',
  primaryApiAddress: '',
  filterHash: '',
};

/** A cluster of this role, of which nothing runs yet. */
async function open(role: Role) {
  const cluster = await openReplicatedStore();
  const records = replicationRecords(cluster.store, cluster.barrier);
  await records.save('role', role);
  const runtime = openRuntime({
    store: cluster.replication,
    records,
    secondaries: openSecondaries(records, cluster.clock),
    listener: { host: '127.0.0.1', port: 0 },
    apiAddress: () => '',
    answer: () => Promise.resolve({ status: 204, headers: {}, body: '' }),
    inTurn: (work) => work(),
    clock: cluster.clock,
    log: silentLog,
    times: {},
  });
  return { cluster, records, runtime, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

test('changes of a role that come at once are all kept', async () => {
  await using opened = await open(secondary);
  const { records, runtime } = opened;
  const filter = { mode: 'deny', paths: ['only/'] } as const;
  const heard = { seq: 3, time: 4 };
  await Promise.all([runtime.amend({ filter, filterHash: 'hash' }), runtime.amend({ heard })]);
  const both = { ...secondary, filter, filterHash: 'hash', heard };
  expect([runtime.role, records.read('role')]).toEqual([both, both]);
});
