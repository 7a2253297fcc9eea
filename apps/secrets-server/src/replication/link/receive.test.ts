import { create } from '@bufbuild/protobuf';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { silentLog } from '@gatehouse/service-kit/log';
import { expect, test } from 'vitest';
import { openReplicatedStore } from '#testing/replicated-store.ts';
import { progressOf } from './progress.ts';
import { receiverOf } from './receive.ts';
import { FollowMessageSchema } from './replication.gen.ts';
import type { SecondaryCredentials } from './types.ts';

const credentials: SecondaryCredentials = {
  id: 'berlin',
  primaryClusterId: 'one',
  authority: '',
  client: { cert: '', key: '' },
  addresses: [],
  digestKey: '',
};
const policy = { changes: '[["policy",["","p"],[[0]]]]', secrets: [Buffer.from('path "x" {}')] };
const history = { epochs: [{ id: 'a', after: 0 }] };

type Message = NonNullable<MessageInitShape<typeof FollowMessageSchema>['message']>;

/** A cluster that receives messages, with the filter hashes that it saved. */
async function receiving() {
  const cluster = await openReplicatedStore();
  const progress = progressOf(cluster.replication, cluster.clock);
  const hashes: string[] = [];
  let filterFails = false;
  const receiver = receiverOf(
    {
      credentials,
      own: () => ({ clusterId: 'two', apiAddress: '', clusterAddress: '', clusterProof: '' }),
      filterHash: '',
      async onFilter(_filter, hash) {
        if (filterFails) throw new Error('not kept');
        hashes.push(hash);
      },
      onLost: async () => undefined,
      store: cluster.replication,
      clock: cluster.clock,
      log: silentLog,
    },
    progress,
  );
  const receive = (...messages: Message[]) =>
    messages.reduce(
      (before, message) => before.then(() => receiver.receive(create(FollowMessageSchema, { message }))),
      Promise.resolve(),
    );
  const snapshot: Message[] = [
    { case: 'snapshotBegin', value: { seq: 3, history, filterHash: 'h' } },
    { case: 'snapshotChunk', value: policy },
    { case: 'snapshotEnd', value: {} },
  ];
  return {
    cluster,
    receiver,
    progress,
    hashes,
    receive,
    snapshot,
    failFilter: () => (filterFails = true),
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

const entries = (after: number, upTo: number): Message => ({
  case: 'entries',
  value: { after, upTo, entries: [{ seq: upTo, time: 5, ...policy }] },
});

test('only entries right after the last one are applied', async () => {
  await using it = await receiving();
  await it.receive(...it.snapshot, entries(3, 4));
  expect(it.cluster.replication.position()).toEqual({ seq: 4, history: history.epochs });
  for (const wrong of [entries(3, 4), entries(5, 6), entries(2, 5)]) {
    await expect(it.receive(wrong)).rejects.toThrow(/last entry is 4/);
  }
  expect(it.cluster.replication.position().seq).toBe(4);
});

test("a stream that doesn't start at the cluster's position is refused", async () => {
  await using it = await receiving();
  await expect(it.receive({ case: 'resume', value: { seq: 1, history } })).rejects.toThrow(/last entry is 0/);
  await expect(it.receive(entries(0, 1))).rejects.toThrow(/last entry is undefined/);
  await expect(it.receive({ case: 'snapshotEnd', value: {} })).rejects.toThrow(/never began/);
  await expect(it.receive({ case: undefined })).rejects.toThrow(/newer than this cluster/);
  expect(it.cluster.replication.position()).toEqual({ seq: 0, history: [] });
});

test("an epoch that begins after the last entry is not yet part of the cluster's history", async () => {
  await using it = await receiving();
  const longer = { epochs: [...history.epochs, { id: 'b', after: 4 }] };
  await it.receive(...it.snapshot, { case: 'resume', value: { seq: 3, history: longer } });
  expect(it.cluster.replication.position().history).toEqual(history.epochs);
  await it.receive(entries(3, 4));
  expect(it.cluster.replication.position().history).toEqual(longer.epochs);
});

test('a filter that could not be saved does not become that of the records', async () => {
  await using it = await receiving();
  it.failFilter();
  await expect(it.receive(...it.snapshot)).rejects.toThrow('not kept');
  expect(it.receiver.filterHash).toBe('');
  expect(it.progress.seq).toBeUndefined();
});
