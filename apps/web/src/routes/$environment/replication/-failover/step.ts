/** A role change as ordered steps, with their effects on data, their verification, and whether each is possible now. */
import type { PathsFilter } from '../-clusters/cluster.ts';
import type { Command } from './commands.ts';

/**
 * What a step does. No step disables a cluster, which would change its ID, or enables a secondary, which would wipe it:
 * no role change needs either.
 */
export type Act =
  /** Reads the statuses again. */
  | { readonly kind: 'look' }
  /** Compares two clusters' positions and digests. */
  | { readonly kind: 'compare'; readonly pairs: readonly Pair[] }
  | { readonly kind: 'demote'; readonly at: string }
  | { readonly kind: 'promote'; readonly at: string; readonly mayForce: boolean }
  | {
      readonly kind: 'save-filter';
      readonly at: string;
      readonly secondaryId: string;
      readonly filter: PathsFilter;
      /** The revision of the stored filter; undefined until it is read. */
      readonly revision: string | undefined;
    }
  /** Creates a token at `primary` and passes it on, so that the cluster at `at` follows it. */
  | {
      readonly kind: 'update-primary';
      readonly at: string;
      readonly primary: string;
      readonly secondaryId: string;
    }
  /** Reads the environment's lost writes. */
  | { readonly kind: 'read-lost'; readonly at: string }
  /** Done outside the console; the user confirms it. */
  | { readonly kind: 'confirm' }
  /** Done outside the console, and visible to it. */
  | { readonly kind: 'elsewhere' };

/** A primary and a secondary, by their environments. */
export interface Pair {
  readonly primary: string;
  readonly secondary: string;
}

/** A primary's filter for a secondary. */
export interface ReadFilter {
  /** Sent with the filter that replaces it. */
  readonly revision: string;
  /** Null if it has none. */
  readonly filter: PathsFilter | null;
}

/** Findings about a change, besides the statuses. */
export interface Evidence {
  /** Pairs found equal at one position, as `pairKey` writes them. */
  readonly equal: ReadonlySet<string>;
  /** Steps confirmed by the user. */
  readonly confirmed: ReadonlySet<string>;
  /** A primary's filter for a secondary; undefined if unread. */
  readonly filterAt: (environment: string, secondaryId: string) => ReadFilter | undefined;
  /** What a secondary doesn't receive; null if it receives everything, undefined if unread. */
  readonly receivedAt: (environment: string) => PathsFilter | null | undefined;
}

/** Server warnings about steps, by step ID. */
export type Said = ReadonlyMap<string, readonly string[]>;

export const noEvidence: Evidence = {
  equal: new Set(),
  confirmed: new Set(),
  filterAt: () => undefined,
  receivedAt: () => undefined,
};

export function pairKey({ primary, secondary }: Pair): string {
  return `${primary} ${secondary}`;
}

/** A step before its state is known. */
export interface StepDraft {
  readonly id: string;
  /** `Demote Production` */
  readonly title: string;
  readonly act: Act;
  /** The effect on data. */
  readonly data: string;
  /** How it is verified. */
  readonly verified: string;
  readonly commands: readonly Command[];
  /** Whether the verified condition holds. */
  readonly isDone: boolean;
  /** Why it is impossible now, even if it is next. */
  readonly against?: string | undefined;
  /** A finding that is still useful after the step is done. */
  readonly found?: string | undefined;
  /** The filter that blocks it, if it can be deleted. */
  readonly filtered?: { readonly primary: string; readonly secondaryId: string } | undefined;
}

export interface Step extends Omit<StepDraft, 'isDone' | 'against'> {
  /** From 1. */
  readonly number: number;
  readonly state: 'done' | 'ready' | 'blocked';
  /** Why it isn't possible now. */
  readonly reason: string | undefined;
}

/** Numbers the steps and sets their states. Only one is next, after all before it are done. */
export function orderedSteps(drafts: readonly StepDraft[]): readonly Step[] {
  const next = drafts.findIndex(({ isDone }) => !isDone);
  return drafts.map(({ isDone, against, ...rest }, index): Step => {
    const step = { ...rest, number: index + 1 };
    if (isDone) return { ...step, state: 'done', reason: undefined };
    if (index > next) return { ...step, state: 'blocked', reason: `Step ${String(next + 1)} comes first.` };
    return { ...step, state: against === undefined ? 'ready' : 'blocked', reason: against };
  });
}
