import { createServer } from 'node:net';
import { silentLog } from '@gatehouse/service-kit/log';
import { expect, test } from 'vitest';
import { replicationRecords } from '../../store/replication/records/record-store.ts';
import { openReplicatedStore } from '../../testing/replicated-store.ts';
import { createIdentity } from '../link/certificates.ts';
import type { Role } from '../role/role.ts';
import { openRuntime } from './runtime.ts';
import { openSecondaries } from './secondaries.ts';

const secondary: Role = {
  mode: 'secondary',
  clusterId: 'cluster',
  digestKey: '',
  primaryApiAddress: '',
  filterHash: '',
};

/** A cluster with a role that has not been started. */
async function open(role: Role) {
  const cluster = await openReplicatedStore();
  const records = replicationRecords(cluster.store, cluster.barrier);
  await records.save('role', role);
  const runtime = openRuntime({
    store: cluster.replication,
    records,
    secondaries: openSecondaries(records, () => true, cluster.clock),
    listener: { host: '127.0.0.1', port: 0 },
    apiAddress: () => '',
    barrier: cluster.barrier,
    answer: () => Promise.resolve({ status: 204, headers: {}, body: '' }),
    inTurn: (work) => work(),
    clock: cluster.clock,
    log: silentLog,
    times: {},
  });
  return { cluster, records, runtime, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}

test('simultaneous changes of a role are all saved', async () => {
  await using opened = await open(secondary);
  const { records, runtime } = opened;
  const filter = { mode: 'deny', paths: ['only/'] } as const;
  const heard = { seq: 3, time: 4 };
  await Promise.all([runtime.amend({ filter, filterHash: 'hash' }), runtime.amend({ heard })]);
  const both = { ...secondary, filter, filterHash: 'hash', heard };
  expect([runtime.role, records.read('role')]).toEqual([both, both]);
});

test('a primary begins an epoch before its first write, even if its port is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const address = taken.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const identity = await createIdentity('cluster');
  const { port } = address;
  const role: Role = {
    mode: 'primary',
    clusterId: 'cluster',
    identity,
    digestKey: '',
    clusterAddress: '',
    port,
  };
  await using opened = await open(role);
  const { cluster, runtime } = opened;
  await runtime.start();
  expect(runtime.serving).toBeUndefined();
  const epochs = [cluster.replication.position().history.at(-1)];
  expect(epochs).toEqual([{ id: expect.any(String) as string, after: 0 }]);

  // The same after unsealing, where a write may come before the port is open.
  await runtime.lock();
  runtime.unlock();
  await cluster.policies.ensureInitial('');
  epochs.push(cluster.replication.position().history.at(-1));
  expect(epochs).toEqual([epochs[0], { id: expect.any(String) as string, after: 0 }]);
  expect(epochs[1]?.id).not.toBe(epochs[0]?.id);
  await new Promise((resolve) => taken.close(resolve));
});
