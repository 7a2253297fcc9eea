/** What a plan says of one box or module: what would be copied, what is here already, and what stands in the way. */
import type { MoveClash } from '@gatehouse/api-types/console/moves';

/** A piece that an earlier pass of the same move knew: what was received of it is not fetched twice. */
export interface KnownPiece {
  readonly id: string;
  readonly url: string;
  readonly checksum: string;
  /** Of what was copied, in hexadecimal; empty before. */
  readonly sha256: string;
  /** Bytes that are in the spool. */
  readonly received: number;
  readonly validator: string;
  /** Null where the source does not tell. */
  readonly size: number | null;
}

/** What is known of the place that an item gets here. */
export interface PlaceHere {
  /** `owner/name`, or `namespace/name/provider`. */
  readonly name: string;
  /** Whether its owner (namespace) is there, is created, or why nothing can be published there. */
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
  /** Why, in a sentence; empty where the plan says it all. */
  readonly detail: string;
  readonly known: KnownPiece | undefined;
}

export interface PlannedVersion {
  readonly version: string;
  readonly description: string;
  readonly status: string;
  /** Null where it is not here. */
  readonly statusHere: string | null;
  /** 0 for the newest release, which is copied first; the others follow, newest first. */
  readonly priority: number;
  /** What of its record is another here: `state`, `description`. */
  readonly differs: readonly string[];
  /** Whether what is here, if anything, lacks nothing but pieces: then it gets the state that it has there. */
  readonly completes: boolean;
  /** Whether there is something to do about the version itself. */
  readonly isOpen: boolean;
  readonly pieces: readonly PlannedPiece[];
}

export interface PlannedItem {
  readonly isHere: boolean;
  /** 'assumed' if the source doesn't say and was read with a token. */
  readonly isPrivate: boolean | 'assumed' | null;
  readonly shortDescription: string;
  readonly description: string;
  readonly sourceUrl: string;
  readonly newest: string | null;
  /** Whether its newest release can be used here already. */
  readonly isUsable: boolean;
  readonly clashes: readonly MoveClash[];
  /** Why nothing of it can be copied; empty where something can. */
  readonly refused: string;
  /** Newest first. */
  readonly versions: readonly PlannedVersion[];
}

/** What tells pieces of one item apart, from pass to pass. */
export function pieceKey(version: string, provider: string, architecture: string): string {
  return `${version}/${provider}/${architecture}`.toLowerCase();
}

/** Names of many things, the first few of them. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/** What of an item the source told in a form that can't be read. */
export function unreadOf(problems: readonly string[]): MoveClash[] {
  const [first] = problems;
  if (first === undefined) return [];
  const more =
    problems.length === 1
      ? ''
      : ` ${problems.length - 1} more ${problems.length === 2 ? 'entry has' : 'entries have'} problems.`;
  return [{ what: 'unreadable', detail: first + more, done: 'The rest is copied.' }];
}
