import type { MessageInitShape } from '@bufbuild/protobuf';
import { Slices } from '@gatehouse/service-kit/slices';
import type { Entry, PathsFilter, ReplicationStore } from '#store/replication/replication-store.ts';
import { commonPosition } from '#store/replication/replication-store.ts';
import { filterHash } from './filter-hash.ts';
import type { Follower } from './follower.ts';
import type { FollowMessageSchema, FollowRequest, HeartbeatSchema } from './replication.gen.ts';

/** A message of the stream in the form the library accepts. */
type Message = MessageInitShape<typeof FollowMessageSchema>;

interface StreamOptions {
  readonly store: ReplicationStore;
  readonly follower: Follower;
  readonly request: FollowRequest;
  readonly filter: PathsFilter | undefined;
  readonly heartbeat: () => MessageInitShape<typeof HeartbeatSchema>;
  readonly isDemoted: () => boolean;
}

/** The approximate limits of one message. */
const batch = { entries: 500, bytes: 2 ** 20 };

/** Sends what a secondary lacks, then new entries, until its follower ends. */
export async function* streamOf(options: StreamOptions): AsyncGenerator<Message, never> {
  const { store, follower, filter, heartbeat, isDemoted } = options;
  let toldDemoted = isDemoted();
  yield say('heartbeat', heartbeat());
  let at = yield* start(options);
  for (;;) {
    follower.check();
    const entries = store.entriesAfter(at, batch);
    if (entries === undefined) {
      at = yield* snapshot(options);
      continue;
    }
    const last = entries.at(-1);
    if (last !== undefined) {
      yield entriesMessage(at, last.seq, store.filtered(entries, filter));
      at = last.seq;
      if (isFull(entries)) continue;
    }
    // All entries are sent; `next` resolves at once if more were written since.
    if (isDemoted() === toldDemoted && (await follower.next())) continue;
    toldDemoted = isDemoted();
    yield say('heartbeat', heartbeat());
  }
}

/** Whether more entries may follow, because the query ended at its limits. */
function isFull(entries: readonly Entry[]): boolean {
  if (entries.length >= batch.entries) return true;
  let bytes = 0;
  for (const { changes, secrets } of entries) {
    bytes += changes.length;
    for (const { length } of secrets) bytes += length;
  }
  return bytes >= batch.bytes;
}

/** Sends what a secondary needs before entries, and returns the number that the entries follow. */
async function* start(options: StreamOptions): AsyncGenerator<Message, number> {
  const { store, request, filter } = options;
  const position = store.position();
  const epochs = request.history?.epochs ?? [];
  const common = commonPosition(position, { seq: request.seq, history: epochs });
  if (common?.diverged === true) yield say('lose', { afterSeq: common.seq });
  const canResume =
    common?.diverged === false &&
    request.whole &&
    request.filterHash === filterHash(filter) &&
    store.entriesAfter(common.seq, { entries: 1, bytes: 1 }) !== undefined;
  if (!canResume) return yield* snapshot(options);
  yield say('resume', { seq: common.seq, history: { epochs: [...position.history] } });
  return common.seq;
}

async function* snapshot({ store, filter, follower }: StreamOptions): AsyncGenerator<Message, number> {
  const asker = { name: `secondary ${follower.record.id}`, isKnown: true };
  const slices = new Slices(() => false, asker);
  // If a secondary opens many streams at once, only the last of them takes a snapshot.
  await slices.giveWay();
  follower.check();
  const { position, chunks } = store.snapshot(filter, async () => {
    await slices.giveWay();
    follower.check();
  });
  const { seq, history } = position;
  let isBegun = false;
  // Reads the first chunk before sending, because only then the iteration closes the snapshot when it ends.
  for await (const chunk of chunks) {
    if (!isBegun) {
      yield say('snapshotBegin', {
        seq,
        history: { epochs: [...history] },
        filterHash: filterHash(filter),
        ...(filter === undefined ? {} : { filter: { mode: filter.mode, paths: [...filter.paths] } }),
      });
      isBegun = true;
    }
    yield say('snapshotChunk', { changes: chunk.changes, secrets: [...chunk.secrets] });
  }
  yield say('snapshotEnd', {});
  return seq;
}

function entriesMessage(after: number, upTo: number, entries: readonly Entry[]): Message {
  const packed = entries.map(({ seq, time, changes, secrets }) => ({
    seq,
    time,
    changes,
    secrets: [...secrets],
  }));
  return say('entries', { after, upTo, entries: packed });
}

type Case = NonNullable<Message['message']>['case'];
type Content<Name extends Case> = Extract<Message['message'], { readonly case: Name }>['value'];

function say<Name extends Exclude<Case, undefined>>(name: Name, value: Content<Name>): Message {
  return { message: { case: name, value } as Message['message'] };
}
