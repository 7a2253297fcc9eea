import type { SecretsWriter } from '../database.ts';

/** A value of a replicated record, decrypted. */
export type Value = string | number | null | Uint8Array;

/** A record's state after a write. */
export interface Change {
  readonly table: string;
  /** Identifies the record on every cluster, such as a mount's UUID and a path. */
  readonly key: readonly Value[];
  /** Null if the record was removed. */
  readonly values: readonly Value[] | null;
}

/**
 * Changes as they are sent. Secret values are separate from the text, so that the text can be forwarded without
 * parsing.
 */
export interface Packed {
  /** JSON of the changes, in which a secret value is replaced by its index. */
  readonly changes: string;
  readonly secrets: readonly Uint8Array[];
}

/** Writes that were committed together; a secondary applies all of their changes or none. */
export interface Entry extends Packed {
  readonly seq: number;
  /** When the primary wrote the entry, in milliseconds since the epoch. */
  readonly time: number;
}

/** A span of writes by one primary. */
export interface Epoch {
  /** A UUID. */
  readonly id: string;
  /** The number before the epoch's first entry. */
  readonly after: number;
}

/** The writes that a cluster has: all up to `seq`, by the primaries of its history, oldest first. */
export interface Position {
  readonly seq: number;
  readonly history: readonly Epoch[];
}

/** Limits the mounts and namespaces that a secondary receives. */
export interface PathsFilter {
  readonly mode: 'allow' | 'deny';
  /** Paths from the root namespace, each with a trailing slash: `secret/`, `team/`, `team/secret/`. */
  readonly paths: readonly string[];
}

/** The handling of replicated writes: not logged, logged, or refused. */
export type Capture = 'off' | 'keep' | 'refuse';

/** All replicated records at one position. */
export interface Snapshot {
  readonly position: Position;
  /** The records in a fixed order, in chunks of about 256 KiB. */
  readonly chunks: AsyncIterable<Packed>;
}

/**
 * A write of this cluster that its new primary never had, without its values; or a record that a snapshot removed
 * although the primary never had it.
 */
export interface LostWrite {
  readonly id: number;
  /** For a record that a snapshot removed: the number of this cluster's last write. */
  readonly seq: number;
  readonly time: number;
  readonly foundTime: number;
  /** Descriptions of the written records: `secret/db version 3`, `policy reader`. */
  readonly records: readonly string[];
}

export interface LostPage {
  /** Only writes found before the one with this ID. */
  readonly before?: number | undefined;
  /** At most 1,000, which is the default. */
  readonly limit?: number | undefined;
}

/** A digest of all replicated records at a position. */
export interface Digest {
  readonly seq: number;
  /** The newest epoch's ID; empty if there is none. */
  readonly epoch: string;
  /** The keyed digest in hex. */
  readonly digest: string;
  readonly records: number;
}

/** The former and current path of a local mount that was renamed because of a replicated mount. */
export interface RenamedMount {
  /** Empty for the root. */
  readonly namespace: string;
  readonly formerPath: string;
  readonly path: string;
  /** In milliseconds since the epoch. */
  readonly time: number;
}

/** The store's interface for replication: it logs local writes and applies those of a primary. */
export interface ReplicationStore {
  /** `off` initially. Writes to local mounts are allowed in every mode. */
  capture: Capture;
  position(): Position;
  /** False while a snapshot is being received, because the records are inconsistent. */
  whole(): boolean;
  /** The time of the last entry; undefined if there is none. */
  lastEntryTime(): number | undefined;
  /** Adds a listener that is called when new entries are on disk. Returns a function that removes the listener. */
  onAppend(listener: () => void): () => void;
  /**
   * Adds a listener that is called when received records replace local ones, for clearing caches: with the namespaces
   * whose policies changed, or without them if any may have.
   */
  onReplaced(listener: (policiesOf?: ReadonlySet<string>) => void): void;

  /**
   * Begins an epoch of this cluster at its position.
   * @param fresh for a cluster that may lack earlier writes: the history starts with this epoch, so that every
   * secondary receives a snapshot and keeps as lost what only it had
   */
  beginEpoch(fresh: boolean): Promise<Epoch>;
  /** Like `beginEpoch`, in an open transaction. */
  beginEpochIn(tx: SecretsWriter, fresh: boolean): Epoch;
  /** Adds an entry without changes, which shows every secondary that the link works. Returns the entry's number. */
  touch(now: number): Promise<number>;
  /**
   * Entries after `seq` in order, up to about the limit, but at least one if any exist; undefined if they are no longer
   * available.
   */
  entriesAfter(
    seq: number,
    limit: { readonly entries: number; readonly bytes: number },
  ): readonly Entry[] | undefined;
  /** Removes changes that a filter excludes. */
  filtered(entries: readonly Entry[], filter: PathsFilter | undefined): readonly Entry[];
  /**
   * Reads one state of the database while writes continue. Closed when the iteration ends.
   * @param giveWay called before each record: lets others continue
   */
  snapshot(filter: PathsFilter | undefined, giveWay: () => Promise<void>): Snapshot;
  /** Deletes old entries. Keeps the newest ones, and up to a limit those after the lowest number in `needed`. */
  trim(needed: readonly number[]): Promise<void>;
  /** The mounts and namespaces that a filter excludes, by their paths from the root namespace. */
  excluded(filter: PathsFilter | undefined): {
    readonly mounts: readonly string[];
    readonly namespaces: readonly string[];
  };

  /**
   * Applies the primary's entries and advances the position in one transaction.
   * @param history of the primary, up to `upTo`
   */
  apply(entries: readonly Entry[], upTo: number, history: readonly Epoch[]): Promise<void>;
  /**
   * Begins to receive a snapshot, and marks the records as not whole until `endSnapshot`. If the primary's history
   * doesn't show that it had this store's records, those that the snapshot removes or replaces are kept as lost.
   * @param primary the snapshot's position
   * @param filter records that it excludes are removed without being kept
   */
  beginSnapshot(primary: Position, filter: PathsFilter | undefined): Promise<void>;
  /**
   * Writes a chunk's records, and removes those of this store that the primary lacks between the previous chunk and
   * this one.
   */
  snapshotChunk(chunk: Packed): Promise<void>;
  /** Removes the records after the last chunk and sets the position. Returns the number of entries kept as lost. */
  endSnapshot(position: Position): Promise<number>;

  /**
   * Moves the entries after `seq` to the lost writes. Returns the number of lost entries, including those no longer in
   * the log.
   */
  loseAfter(seq: number, now: number): Promise<number>;
  /** Newest first. */
  lost(page?: LostPage): readonly LostWrite[];
  lostCount(): number;
  /**
   * Deletes lost writes with their values.
   * @param upTo ID of the newest one to delete
   * @returns the number of deleted ones
   */
  purgeLost(upTo: number): Promise<number>;
  /** The renamed local mounts, by path. */
  renamed(): readonly RenamedMount[];
  /** Deletes all records, tokens, leases, wrapped answers, local mounts, entries, epochs and lost writes. */
  clear(): Promise<void>;
  /** Deletes entries and epochs but keeps the records. */
  forgetHistory(tx: SecretsWriter): void;
  /**
   * @param key of the replication set
   * @param giveWay called before each record: lets others continue
   */
  digest(key: Uint8Array, filter: PathsFilter | undefined, giveWay: () => Promise<void>): Promise<Digest>;
}

/** The last common entry of two histories, and whether the follower has other entries after it. */
export interface Common {
  readonly seq: number;
  readonly diverged: boolean;
}

/**
 * Finds where a follower can continue from a leader's history; undefined if the histories share no epoch.
 * @param leader the position of the cluster that is followed
 * @param follower the position of the cluster that follows
 */
export function commonPosition(leader: Position, follower: Position): Common | undefined {
  for (const [index, epoch] of [...follower.history.entries()].toReversed()) {
    const at = leader.history.findIndex(({ id }) => id === epoch.id);
    if (at === -1) continue;
    const followerEnd = follower.history[index + 1]?.after ?? follower.seq;
    const leaderEnd = leader.history[at + 1]?.after ?? leader.seq;
    const seq = Math.min(followerEnd, leaderEnd);
    return { seq, diverged: follower.seq > seq };
  }
  return undefined;
}
