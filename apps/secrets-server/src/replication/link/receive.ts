import type { Epoch, PathsFilter } from '#store/replication/replication-store.ts';
import { historyUntil, sameHistory } from './histories.ts';
import type { Progress } from './progress.ts';
import type {
  Entries,
  FollowMessage,
  History,
  SnapshotBegin,
  PathsFilter as WireFilter,
} from './replication.gen.ts';
import type { FollowOptions } from './types.ts';

export type Receiver = ReturnType<typeof receiverOf>;

/** The stream does not continue from this cluster's position. */
export class StreamBroken extends Error {
  override readonly name = 'StreamBroken';
}

/** Receives a primary's streams, one after another. */
export function receiverOf(options: FollowOptions, progress: Progress) {
  const { store, clock, onFilter, onLost } = options;
  let { filterHash } = options;
  let history: readonly Epoch[] = [];
  let snapshot: SnapshotBegin | undefined;

  const lost = async (count: number): Promise<void> => {
    progress.lost(count);
    await onLost(count);
  };
  const resume = async (seq: number, told: History | undefined): Promise<void> => {
    history = epochsOf(told);
    const here = store.position();
    if (here.seq !== seq)
      throw new StreamBroken(
        `the primary resumed after entry ${seq}, but this cluster's last entry is ${here.seq}`,
      );
    // The histories must become equal even if no entry follows for a long time.
    const until = historyUntil(history, seq);
    if (!sameHistory(here.history, until)) await store.apply([], seq, until);
    progress.reached(seq);
  };
  const begin = async (next: SnapshotBegin): Promise<void> => {
    history = epochsOf(next.history);
    await store.beginSnapshot({ seq: next.seq, history }, filterOf(next.filter));
    snapshot = next;
    progress.receiving();
  };
  const end = async (): Promise<void> => {
    if (snapshot === undefined) throw new StreamBroken('the end of a snapshot that never began');
    const { seq, filter, filterHash: hash } = snapshot;
    // Saved first, because filtered records must never be mistaken for complete ones.
    await onFilter(filterOf(filter), hash);
    const count = await store.endSnapshot({ seq, history });
    snapshot = undefined;
    filterHash = hash;
    progress.reached(seq);
    if (count > 0) await lost(count);
  };
  const apply = async ({ after, upTo, entries }: Entries): Promise<void> => {
    if (after !== progress.seq)
      throw new StreamBroken(
        `the primary sent entries after ${after}, but this cluster's last entry is ${progress.seq}`,
      );
    await store.apply(entries, upTo, historyUntil(history, upTo));
    progress.reached(upTo);
  };

  return {
    /** The hash of the filter under which this cluster's records were received. */
    get filterHash() {
      return filterHash;
    },
    /** Applies one message; the caller must wait before the next. @throws StreamBroken; StoreUnavailable */
    async receive({ message }: FollowMessage): Promise<void> {
      switch (message.case) {
        case 'heartbeat':
          progress.heard(message.value);
          return;
        case 'resume':
          await resume(message.value.seq, message.value.history);
          return;
        case 'lose':
          await lost(await store.loseAfter(message.value.afterSeq, clock.now()));
          return;
        case 'snapshotBegin':
          await begin(message.value);
          return;
        case 'snapshotChunk':
          await store.snapshotChunk(message.value);
          return;
        case 'snapshotEnd':
          await end();
          return;
        case 'entries':
          await apply(message.value);
          return;
        case undefined:
          throw new StreamBroken(
            "the primary is newer than this cluster and sends data that this version doesn't support: upgrade this cluster",
          );
      }
    },
  };
}

function filterOf(filter: WireFilter | undefined): PathsFilter | undefined {
  return filter && { mode: filter.mode === 'deny' ? 'deny' : 'allow', paths: filter.paths };
}

function epochsOf(history: History | undefined): readonly Epoch[] {
  return (history?.epochs ?? []).map(({ id, after }) => ({ id, after }));
}
