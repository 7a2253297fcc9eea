import type { SecretsWriter } from '../database.ts';

/** A value of a replicated record, in the clear. */
export type Value = string | number | null | Uint8Array;

/** A record as it is after a write. */
export interface Change {
  readonly table: string;
  /** What names the record on every cluster, such as a mount's UUID and a path. */
  readonly key: readonly Value[];
  /** Null when the record was removed. */
  readonly values: readonly Value[] | null;
}

/** Changes as they travel. What is secret lies beside the text, so that the text can be passed on unread. */
export interface Packed {
  /** JSON of the changes, in which a secret value is its number among the secrets. */
  readonly changes: string;
  readonly secrets: readonly Uint8Array[];
}

/** Writes that were committed together: all of their changes, or none. */
export interface Entry extends Packed {
  readonly seq: number;
  /** Milliseconds since the epoch, when the primary wrote it. */
  readonly time: number;
}

/** From where on one primary wrote. */
export interface Epoch {
  /** A UUID. */
  readonly id: string;
  /** Its first entry is the one after this. */
  readonly after: number;
}

/** Which writes a cluster has: all up to `seq`, by the primaries of its history, oldest first. */
export interface Position {
  readonly seq: number;
  readonly history: readonly Epoch[];
}

/** Which mounts and namespaces a secondary receives. */
export interface PathsFilter {
  readonly mode: 'allow' | 'deny';
  /** From the root namespace, each with a slash at its end: `secret/`, `team/`, `team/secret/`. */
  readonly paths: readonly string[];
}

/** What happens to a write of replicated records: nothing, an entry is kept of it, or it is refused. */
export type Capture = 'off' | 'keep' | 'refuse';

/** All replicated records at one position. */
export interface Snapshot {
  readonly position: Position;
  /** Records in a fixed order, in chunks of about a quarter of a megabyte. */
  readonly chunks: AsyncIterable<Packed>;
}

/**
 * A write that this cluster accepted and that its new primary never had, without its values; or a record that a snapshot
 * took away though the primary never had it.
 */
export interface LostWrite {
  readonly id: number;
  /** Of a record that a snapshot took away: of the last write that was here. */
  readonly seq: number;
  readonly time: number;
  readonly foundTime: number;
  /** What it wrote, for people: `secret/db version 3`, `policy reader`. */
  readonly records: readonly string[];
}

/** Which of the lost writes are listed. */
export interface LostPage {
  /** Only those that were found before the one with this id. */
  readonly before?: number | undefined;
  /** 1000 unless given, and at most. */
  readonly limit?: number | undefined;
}

/** A digest of all replicated records at a position. */
export interface Digest {
  readonly seq: number;
  /** The newest epoch; empty when there is none. */
  readonly epoch: string;
  /** Keyed, in hex. */
  readonly digest: string;
  readonly records: number;
}

/** A path that a mount of this cluster alone gave up to a replicated one, and where it is now. */
export interface RenamedMount {
  /** Empty for the root. */
  readonly namespace: string;
  readonly formerPath: string;
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** The store's side of replication: what was written here, and what was written elsewhere. */
export interface ReplicationStore {
  /** Off until it is set. Writes of local mounts are let through whatever it is. */
  capture: Capture;
  position(): Position;
  /** False while a snapshot is being received: the records are a mixture. */
  whole(): boolean;
  /** Time of the last entry; undefined when there is none. */
  lastEntryTime(): number | undefined;
  /** Calls `listener` once entries were added, after they are on disk. Answers how to stop it. */
  onAppend(listener: () => void): () => void;
  /** Calls `listener` once records were replaced from outside, so that nobody keeps what they were. */
  onReplaced(listener: () => void): void;

  /**
   * Begins an epoch of this cluster's own at its position.
   * @param fresh what is here is not all that was written up to that position: the history begins with this epoch, so that
   * whoever follows receives a snapshot and keeps what only it has as lost
   */
  beginEpoch(fresh: boolean): Promise<Epoch>;
  /** The same, together with what else a transaction writes. */
  beginEpochIn(tx: SecretsWriter, fresh: boolean): Epoch;
  /** Adds an entry without changes, and answers its number: a sign of life that every secondary receives. */
  touch(now: number): Promise<number>;
  /** Entries after `seq` in order, about as many as asked for and at least one where there is one; undefined when they are not kept any more. */
  entriesAfter(
    seq: number,
    limit: { readonly entries: number; readonly bytes: number },
  ): readonly Entry[] | undefined;
  /** Leaves out what a filter excludes. */
  filtered(entries: readonly Entry[], filter: PathsFilter | undefined): readonly Entry[];
  /** Reads from a moment's state while writes go on. Ends when the iteration does. */
  snapshot(filter: PathsFilter | undefined): Snapshot;
  /** Lets entries go that nobody needs: the newest are kept, and those after the slowest of `needed`, up to a limit. */
  trim(needed: readonly number[]): Promise<void>;
  /** Mounts and namespaces that a filter excludes, from the root namespace. */
  excluded(filter: PathsFilter | undefined): {
    readonly mounts: readonly string[];
    readonly namespaces: readonly string[];
  };

  /** Applies entries of the primary with the position, in one transaction. @param history the primary's, as far as it is known */
  apply(entries: readonly Entry[], upTo: number, history: readonly Epoch[]): Promise<void>;
  /**
   * Begins to receive a snapshot: from now on the records are not whole until `endSnapshot`. Where the primary's history
   * does not tell that it had what is here, records that the snapshot removes or replaces are kept as lost.
   * @param primary the position that the snapshot leads to
   * @param filter what it leaves out is removed and not kept
   */
  beginSnapshot(primary: Position, filter: PathsFilter | undefined): Promise<void>;
  /** Puts a chunk's records, and removes those that the primary does not have between the last chunk's and this one's. */
  snapshotChunk(chunk: Packed): Promise<void>;
  /** Removes what comes after the last chunk, and takes the position. Answers how many records were kept as lost. */
  endSnapshot(position: Position): Promise<number>;

  /** Moves the entries after `seq` to the lost ones. Answers how many were lost, with those that were not kept any more. */
  loseAfter(seq: number, now: number): Promise<number>;
  /** Newest first. */
  lost(page?: LostPage): readonly LostWrite[];
  lostCount(): number;
  /** Forgets lost writes and their values. @param upTo id of the newest of them @returns how many there were */
  purgeLost(upTo: number): Promise<number>;
  /** Local mounts that gave way to replicated ones, by path. */
  renamed(): readonly RenamedMount[];
  /** Removes all records, tokens, leases, wrappings and local mounts; entries, epochs and lost writes too. */
  clear(): Promise<void>;
  /** Forgets entries and epochs; records stay. */
  forgetHistory(tx: SecretsWriter): void;
  /** @param key of the replication set */
  digest(key: Uint8Array, filter: PathsFilter | undefined): Promise<Digest>;
}

/** What two histories share: up to which entry, and whether the follower has more than that. */
export interface Common {
  readonly seq: number;
  readonly diverged: boolean;
}

/**
 * Where a follower can go on after a leader's history; undefined when they never had an epoch in common.
 * @param leader the position of the cluster that is followed
 * @param follower the position of the cluster that wants to follow it
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
