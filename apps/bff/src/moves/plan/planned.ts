/** The plan of one box or module: what will be copied, what exists here, and what prevents the copy. */
import type { MoveClash } from '@gatehouse/api-types/console/moves';

/** A piece of an earlier pass of the move, whose received bytes aren't fetched again. */
export interface KnownPiece {
  readonly id: string;
  readonly url: string;
  readonly checksum: string;
  /** SHA-256 of the copy, in hexadecimal; empty before the copy. */
  readonly sha256: string;
  /** Bytes in the spool. */
  readonly received: number;
  readonly validator: string;
  /** Null if the source doesn't report it. */
  readonly size: number | null;
}

/** The item's place here. */
export interface PlaceHere {
  /** `owner/name`, or `namespace/name/provider`. */
  readonly name: string;
  /** Whether its owner (namespace) exists, or will be created, or why nothing can be published there. */
  readonly owner: 'there' | 'created' | { readonly refused: string };
  /** Pieces of an earlier pass, by `pieceKey`. */
  readonly known: ReadonlyMap<string, KnownPiece>;
}

export interface PlannedPiece {
  readonly provider: string;
  readonly architecture: string;
  readonly isDefault: boolean | null;
  readonly hosted: boolean;
  readonly url: string;
  readonly checksum: string;
  readonly checksumType: string;
  readonly size: number | null;
  readonly plan: 'missing' | 'here' | 'clash' | 'not-copied';
  /** The reason, in a sentence; empty if the state says it all. */
  readonly detail: string;
  readonly known: KnownPiece | undefined;
  /** `imageMark` of the same image here; empty if it isn't here, or for an archive. */
  readonly imageHere: string;
}

export interface PlannedVersion {
  readonly version: string;
  readonly description: string;
  readonly status: string;
  /** Null if it isn't here. */
  readonly statusHere: string | null;
  /** 0 for the newest release, which is copied first; the others follow, newest first. */
  readonly priority: number;
  /** Properties that differ here: `state`, `description`. */
  readonly differs: readonly string[];
  /** Whether the existing version lacks at most pieces. It gets the source's state then. */
  readonly completes: boolean;
  /** Whether the version itself needs a change. */
  readonly isOpen: boolean;
  readonly pieces: readonly PlannedPiece[];
}

export interface PlannedItem {
  /** 'private' for a box that is private here. */
  readonly isHere: boolean | 'private';
  /** 'assumed' if the source doesn't say and was read with a token. */
  readonly isPrivate: boolean | 'assumed' | null;
  readonly shortDescription: string;
  readonly description: string;
  readonly sourceUrl: string;
  readonly newest: string | null;
  /** Whether its newest release can be used here already. */
  readonly isUsable: boolean;
  readonly clashes: readonly MoveClash[];
  /** Why it can't be copied at all; empty if a part can. */
  readonly refused: string;
  /** Newest first. */
  readonly versions: readonly PlannedVersion[];
}

/** Identifies a piece of an item across passes. */
export function pieceKey(version: string, provider: string, architecture: string): string {
  return `${version}/${provider}/${architecture}`.toLowerCase();
}

/** The first few of many names. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/** The parts of an item that the source sent in an unreadable form. */
export function unreadOf(problems: readonly string[]): MoveClash[] {
  const [first] = problems;
  if (first === undefined) return [];
  const more =
    problems.length === 1
      ? ''
      : ` ${problems.length - 1} more ${problems.length === 2 ? 'entry has' : 'entries have'} problems.`;
  return [{ what: 'unreadable', detail: first + more, done: 'The rest is copied.' }];
}
