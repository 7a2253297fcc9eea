/** A change of role as ordered steps: what each does to data, how it is verified, and whether it is possible now. */
import type { PathsFilter } from '../-clusters/cluster.ts';
import type { Command } from './commands.ts';

/**
 * What a step does. There is none that disables a cluster, which changes its ID, and none that enables a secondary, which
 * wipes it: no change of role needs either.
 */
export type Act =
  /** The statuses are read again. */
  | { readonly kind: 'look' }
  /** Positions and digests of two clusters are compared. */
  | { readonly kind: 'compare'; readonly pairs: readonly Pair[] }
  | { readonly kind: 'demote'; readonly at: string }
  | { readonly kind: 'promote'; readonly at: string; readonly mayForce: boolean }
  | {
      readonly kind: 'save-filter';
      readonly at: string;
      readonly secondaryId: string;
      readonly filter: PathsFilter;
      /** Of what is there, as it was read; undefined until it is. */
      readonly revision: string | undefined;
    }
  /** A token is made at `primary` and passed on: the cluster at `at` follows it from then on. */
  | {
      readonly kind: 'update-primary';
      readonly at: string;
      readonly primary: string;
      readonly secondaryId: string;
    }
  /** The lost writes of the environment are read. */
  | { readonly kind: 'read-lost'; readonly at: string }
  /** Done outside of the console; a person says so. */
  | { readonly kind: 'confirm' }
  /** Done outside of the console, and seen from here. */
  | { readonly kind: 'elsewhere' };

/** A primary and a secondary, by their environments. */
export interface Pair {
  readonly primary: string;
  readonly secondary: string;
}

/** What a primary keeps for a secondary. */
export interface ReadFilter {
  /** Guards what is saved in its place. */
  readonly revision: string;
  /** Null where it has none. */
  readonly filter: PathsFilter | null;
}

/** What was found out about a change beside the statuses. */
export interface Evidence {
  /** Pairs that were found equal, at one position, as `pairKey` writes them. */
  readonly equal: ReadonlySet<string>;
  /** Steps that a person confirmed. */
  readonly confirmed: ReadonlySet<string>;
  /** The filter that a primary has for a secondary, as it was read; undefined where it was not. */
  readonly filterAt: (environment: string, secondaryId: string) => ReadFilter | undefined;
  /** What a secondary was told not to receive; null where it receives everything, undefined where it was not read. */
  readonly receivedAt: (environment: string) => PathsFilter | null | undefined;
}

/** What servers said when steps were run, by the ids of the steps. */
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

/** A step before it is known where the change stands. */
export interface StepDraft {
  readonly id: string;
  /** `Demote Production` */
  readonly title: string;
  readonly act: Act;
  /** What it does to data. */
  readonly data: string;
  /** How it is verified. */
  readonly verified: string;
  readonly commands: readonly Command[];
  /** Whether what is verified is so. */
  readonly isDone: boolean;
  /** Why it is not possible now, even when it is its turn. */
  readonly against?: string | undefined;
  /** What was found out, which is still of use once it is done. */
  readonly found?: string | undefined;
  /** The filter that stands in its way, where that can be deleted. */
  readonly filtered?: { readonly primary: string; readonly secondaryId: string } | undefined;
}

export interface Step extends Omit<StepDraft, 'isDone' | 'against'> {
  /** From 1. */
  readonly number: number;
  readonly state: 'done' | 'ready' | 'blocked';
  /** Why it is not possible now. */
  readonly reason: string | undefined;
}

/** Numbers steps and says which of them is next: one at a time, each after those before it. */
export function orderedSteps(drafts: readonly StepDraft[]): readonly Step[] {
  const next = drafts.findIndex(({ isDone }) => !isDone);
  return drafts.map(({ isDone, against, ...rest }, index): Step => {
    const step = { ...rest, number: index + 1 };
    if (isDone) return { ...step, state: 'done', reason: undefined };
    if (index > next) return { ...step, state: 'blocked', reason: `Step ${String(next + 1)} comes first.` };
    return { ...step, state: against === undefined ? 'ready' : 'blocked', reason: against };
  });
}
