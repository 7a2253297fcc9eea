import type { Clock } from '@gatehouse/service-kit/clock';
import type { Barrier } from '../../barrier.ts';
import type { SecretsStore, SecretsWriter } from '../../database.ts';
import type { Flag } from '../flag.ts';
import { packSealed, unpack } from '../log/entry-codec.ts';
import { nothing } from '../log/log.ts';
import type { ChangeLog } from '../log/log.ts';
import type { LostWrites } from '../log/lost.ts';
import { salvageOf } from '../log/salvage.ts';
import type { Change, PathsFilter, Position, ReplicationStore } from '../replication-store.ts';
import { commonPosition } from '../replication-store.ts';
import { tableOf } from '../tables.ts';
import { applierOf } from './apply.ts';
import { receiverOf } from './receive.ts';
import type { Receiver } from './receive.ts';

/** The part of the store that receives a primary's entries and snapshots. */
export interface Receiving extends Pick<
  ReplicationStore,
  'apply' | 'beginSnapshot' | 'snapshotChunk' | 'endSnapshot'
> {
  /** Forgets the snapshot in progress. */
  forget(): void;
}

/** Writes without the watcher, which would log or refuse it. */
export type WriteUnwatched = <Result>(
  work: (tx: SecretsWriter) => Result extends PromiseLike<unknown> ? never : Result,
) => Promise<Result>;

export interface ReceivingOptions {
  readonly store: SecretsStore;
  readonly writeUnwatched: WriteUnwatched;
  readonly barrier: Barrier;
  readonly clock: Clock;
  readonly log: ChangeLog;
  readonly lost: LostWrites;
  readonly whole: Flag;
  /** Whether lost writes are missing from the list. If so, the next snapshot stores the records it replaces as lost. */
  readonly lostUnlisted: Flag;
  readonly onAppend: () => void;
  /** Called with the namespaces whose policies changed; without them if any may have. */
  readonly onReplaced: (policiesOf?: ReadonlySet<string>) => void;
}

export function receivingOf(options: ReceivingOptions): Receiving {
  const { store, writeUnwatched, barrier, clock, log, lost, whole, lostUnlisted } = options;
  const { onAppend, onReplaced } = options;
  const applier = applierOf(store, barrier, clock);
  let receiver: Receiver | undefined;
  /** Entries stored as lost since the last snapshot ended. */
  let kept = 0;

  const touchesCaches = (changes: readonly Change[]): boolean =>
    changes.some(({ table }) => tableOf.get(table)?.uncached !== true);
  const current = (): Receiver => {
    if (receiver === undefined) throw new Error('no snapshot was begun');
    return receiver;
  };
  /** Whether the primary is known to have had all records of this store. */
  const isShared = (primary: Position): boolean => {
    const here: Position = { seq: log.head(store), history: log.epochs(store) };
    return here.history.length === 0 || (commonPosition(primary, here) !== undefined && !lostUnlisted.read());
  };
  const salvage = (filter: PathsFilter | undefined) => {
    const last = { seq: log.head(store), time: log.lastTime() ?? clock.now() };
    const onKept = (): void => {
      kept += 1;
    };
    return salvageOf({ barrier, applier, lost, filter, foundTime: clock.now(), last, onKept });
  };

  return {
    async apply(entries, upTo, history) {
      const known = JSON.stringify(log.epochs(store));
      const changes = entries.map(unpack);
      await writeUnwatched((tx) => {
        for (const [index, entry] of entries.entries()) {
          const applied = (changes[index] ?? []).flatMap((change) => applier.apply(tx, change) ?? []);
          log.keep(tx, entry, packSealed(applied));
        }
        const lastSeq = entries.at(-1)?.seq ?? log.head(tx);
        if (upTo > lastSeq) log.keep(tx, { seq: upTo, time: log.lastTime() ?? clock.now() }, nothing);
        if (JSON.stringify(history) !== known) log.setEpochs(tx, history);
      });
      if (changes.some(touchesCaches)) onReplaced(policiesOf(changes.flat()));
      onAppend();
    },
    async beginSnapshot(primary, filter) {
      receiver = receiverOf(applier, isShared(primary) ? undefined : salvage(filter));
      await store.write((tx) => whole.set(tx, false));
    },
    async snapshotChunk(chunk) {
      const into = current();
      const changes = unpack(chunk);
      await writeUnwatched((tx) => into.chunk(tx, changes));
    },
    async endSnapshot({ seq, history }) {
      const into = current();
      while (await writeUnwatched((tx) => into.removeKeys(tx)));
      await writeUnwatched((tx) => {
        into.end(tx);
        log.restart(tx, seq);
        log.setEpochs(tx, history);
        whole.set(tx, true);
        lostUnlisted.set(tx, false);
      });
      receiver = undefined;
      onReplaced();
      onAppend();
      const count = kept;
      kept = 0;
      return count;
    },
    forget() {
      receiver = undefined;
      kept = 0;
    },
  };
}

/** The namespaces whose policies some changes concern. */
function policiesOf(changes: readonly Change[]): ReadonlySet<string> {
  return new Set(changes.flatMap(({ table, key }) => (table === 'policy' ? [String(key[0])] : [])));
}
