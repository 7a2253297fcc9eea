import type { Clock } from '@gatehouse/service-kit/clock';
import type { Watcher } from '@gatehouse/service-kit/store';
import { Refusal } from '#core/refusal.ts';
import type { SecretsWriter } from '../../database.ts';
import type { Schema } from '../../schema.ts';
import type { Capture } from '../replication-store.ts';
import { watchedTables } from './capture.ts';
import type { Capture as RowCapture } from './capture.ts';
import { packSealed, sizeOf } from './entry-codec.ts';
import type { SealedChange } from './entry-codec.ts';
import type { ChangeLog } from './log.ts';
import type { RecentEntries } from './recent.ts';

export interface GroupOptions {
  readonly capture: RowCapture;
  readonly log: Pick<ChangeLog, 'append'>;
  readonly recent: RecentEntries;
  readonly clock: Clock;
  /** Called after entries are on disk. */
  readonly onAppend: () => void;
}

/**
 * The approximate maximum size of an entry in bytes, unless one write alone is larger. An entry is sent as one message,
 * so that a secondary receives each write whole.
 */
const entryBytes = 4 * 2 ** 20;

/** Logs writes that are committed together in as few entries as possible. */
function keepWrites({ capture, log, recent, clock, onAppend }: GroupOptions): Watcher<Schema> {
  let group: SealedChange[] = [];
  let bytes = 0;
  const empty = (): void => {
    group = [];
    bytes = 0;
  };
  const append = (tx: SecretsWriter): void => {
    if (group.length === 0) return;
    const packed = packSealed(group);
    const time = clock.now();
    recent.add({ seq: log.append(tx, time, packed), time }, packed);
    empty();
  };
  return {
    tables: watchedTables,
    onWrite(tx, rows) {
      for (const change of capture.changesOf(tx, rows)) {
        group.push(change);
        bytes += sizeOf(change);
      }
      if (bytes >= entryBytes) append(tx);
    },
    beforeCommit: append,
    onCommit() {
      recent.commit();
      onAppend();
    },
    onUndone() {
      recent.undo();
      capture.forget();
      empty();
    },
  };
}

/** Refuses all writes of replicated records. */
function refuseWrites({ capture }: Pick<GroupOptions, 'capture'>): Watcher<Schema> {
  return {
    tables: watchedTables,
    onWrite(tx, rows) {
      if (capture.changesOf(tx, rows).length === 0) return;
      // A write that arrived before the cluster was demoted; later ones are forwarded.
      throw new Refusal(
        503,
        ['this cluster is now a performance secondary. Nothing was changed. Send the change again.'],
        { 'Retry-After': '5' },
      );
    },
    beforeCommit: () => undefined,
    onCommit: () => undefined,
    onUndone: () => capture.forget(),
  };
}

/** The watcher of the store's writes for a mode. */
export function watcherOf(mode: Capture, options: GroupOptions): Watcher<Schema> | undefined {
  if (mode === 'off') return undefined;
  return mode === 'keep' ? keepWrites(options) : refuseWrites(options);
}
