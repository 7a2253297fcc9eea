/**
 * What happens to an edit when the record was changed, deleted or created by somebody else meanwhile. Pure: the form
 * holds the record that is shown, this holds what was merged and what was decided about it.
 */
import type { Decision as ToldDecision } from '@gatehouse/api-types/console/decisions';
import type { ConflictDetails } from '@gatehouse/api-types/console/problem';
import { merge, type Change, type Conflict, type MergeResult, type Path } from '@gatehouse/record-merge';
import { absent } from '@gatehouse/record-merge/absent';
import { deepEqual } from '@gatehouse/record-merge/equal';
import type { RecordPolicy } from '@gatehouse/record-merge/policy';
import { carryDecisions, resolve, type Decision } from '@gatehouse/record-merge/resolve';

/** Who changed the record, and when (RFC 3339); null where the service does not say. */
export type Author = Pick<ConflictDetails, 'changedBy' | 'changedAt' | 'isYours'>;

export type Decisions = ReadonlyMap<string, Decision>;

export interface ChangedMeanwhile<T> extends Author {
  readonly kind: 'changed';
  readonly result: MergeResult<T>;
  /** The record as it is stored, which the next save is made for. */
  readonly theirs: T;
  readonly decisions: Decisions;
  /** Changes of others that earlier rounds took over, which are still to be shown. */
  readonly earlier: readonly Change[];
  /** 1 for the first change by others, 2 for the next, and so on. */
  readonly round: number;
  /** How many decisions of the round before hold, and how many are asked again. */
  readonly kept: number;
  readonly askedAgain: number;
}

export interface DeletedMeanwhile extends Author {
  readonly kind: 'deleted';
}

export interface CreatedMeanwhile<T> extends Author {
  readonly kind: 'created';
  readonly theirs: T;
  readonly revision: string | null;
}

export type ConflictState<T> =
  | { readonly kind: 'none' }
  | ChangedMeanwhile<T>
  | DeletedMeanwhile
  | CreatedMeanwhile<T>;

export type ConflictEvent<T> =
  /** The stored record is another than the one that the edit began with. `values` are those of the form now. */
  | {
      readonly type: 'changed';
      readonly policy: RecordPolicy;
      readonly saved: T;
      readonly values: T;
      readonly theirs: T;
      readonly author: Author;
    }
  | { readonly type: 'deleted'; readonly author: Author }
  | {
      readonly type: 'created';
      readonly theirs: T;
      readonly revision: string | null;
      readonly author: Author;
    }
  | { readonly type: 'decided'; readonly id: string; readonly decision: Decision }
  /** Saved, or given up. */
  | { readonly type: 'settled' };

/** The next state. An event that does not fit the state changes nothing. */
export function conflictReducer<T extends object>(
  state: ConflictState<T>,
  event: ConflictEvent<T>,
): ConflictState<T> {
  switch (event.type) {
    case 'changed':
      return meet(state, event);
    case 'deleted':
      return { kind: 'deleted', ...event.author };
    case 'created':
      return { kind: 'created', theirs: event.theirs, revision: event.revision, ...event.author };
    case 'decided':
      if (state.kind !== 'changed' || !state.result.conflicts.some(({ id }) => id === event.id)) return state;
      return { ...state, decisions: new Map(state.decisions).set(event.id, event.decision) };
    case 'settled':
      return { kind: 'none' };
  }
}

function meet<T extends object>(
  state: ConflictState<T>,
  { policy, saved, values, theirs, author }: Extract<ConflictEvent<T>, { type: 'changed' }>,
): ChangedMeanwhile<T> {
  if (state.kind !== 'changed') {
    const result = merge(policy, saved, values, theirs);
    return {
      kind: 'changed',
      result,
      theirs,
      decisions: new Map(),
      earlier: [],
      round: 1,
      kept: 0,
      askedAgain: 0,
      ...author,
    };
  }
  // What was in conflict is merged again from where the edit began; everything else from what the person has seen.
  const { conflicts } = state.result;
  const base = withSide(policy, state.theirs, conflicts, 'base');
  const mine = withSide(policy, values, conflicts, 'mine');
  const result = merge(policy, base, mine, theirs);
  const made = decisionsIn(state, values);
  const decisions = carryDecisions(state.result, result, made);
  const taken = [...state.earlier, ...state.result.changes.filter(({ side }) => side !== 'mine')];
  const isNew = (change: Change): boolean => !result.changes.some((next) => samePath(next.path, change.path));
  return {
    kind: 'changed',
    result,
    theirs,
    decisions,
    earlier: taken.filter(isNew),
    round: state.round + 1,
    kept: decisions.size,
    askedAgain: result.conflicts.filter(({ id }) => made.has(id) && !decisions.has(id)).length,
    ...author,
  };
}

/** A record in which each conflict holds the value that one side had there. */
function withSide<T>(
  policy: RecordPolicy,
  record: T,
  conflicts: readonly Conflict[],
  side: 'base' | 'mine',
): T {
  const values = new Map<string, Decision>();
  for (const conflict of conflicts) values.set(conflict.id, { choice: 'edited', value: conflict[side] });
  return resolve({ merged: record, changes: [], conflicts, policy }, values).record;
}

/** The decisions as the form holds them: a field that was edited after it was decided counts as edited. */
export function decisionsIn<T>(state: ChangedMeanwhile<T>, values: T): Decisions {
  const decisions = new Map(state.decisions);
  const decided = resolve(state.result, decisions).record;
  for (const conflict of state.result.conflicts) {
    if (!decisions.has(conflict.id)) continue;
    const value = valueAt(values, conflict);
    if (!deepEqual(value, valueAt(decided, conflict)))
      decisions.set(conflict.id, { choice: 'edited', value });
  }
  return decisions;
}

/** How a save was decided, by paths: for the audit trail, which holds no values. */
export function toldBy<T>(state: ConflictState<T>, values: T): readonly ToldDecision[] {
  if (state.kind !== 'changed') return [];
  const decided = [...decisionsIn(state, values)].map(([path, { choice }]) => ({ path, choice }));
  const isJoined = acceptedChanges(state).some(({ side }) => side !== 'mine');
  return isJoined ? [...decided, { path: '', choice: 'merged' }] : decided;
}

/** The record to show in the form: merged, with the decisions that were made, and theirs where none was. */
export function decidedRecord<T>(state: ChangedMeanwhile<T>): T {
  return resolve(state.result, state.decisions).record;
}

/** The conflicts that still need a decision. */
export function undecided<T>(state: ConflictState<T>): readonly Conflict[] {
  return state.kind === 'changed' ? state.result.conflicts.filter(({ id }) => !state.decisions.has(id)) : [];
}

/** Everything that was taken over without a question, in all rounds, to be marked in the form. */
export function acceptedChanges<T>(state: ConflictState<T>): readonly Change[] {
  return state.kind === 'changed' ? [...state.earlier, ...state.result.changes] : [];
}

/** The dotted paths of what a conflict is about. */
export function conflictPaths({ path, fields }: Pick<Conflict, 'path' | 'fields'>): readonly string[] {
  return (fields?.map((field) => [...path, field]) ?? [path]).map((keys) => keys.join('.'));
}

/** The conflict that a field, by its dotted path, is part of. */
export function conflictAt<T>(state: ConflictState<T>, path: string): Conflict | undefined {
  return state.kind === 'changed'
    ? state.result.conflicts.find((conflict) => conflictPaths(conflict).includes(path))
    : undefined;
}

/** The value of a conflict in a record: of a group an object of the fields that are present, else `absent` where nothing is. */
export function valueAt(record: unknown, conflict: Pick<Conflict, 'path' | 'fields'>): unknown {
  const value = valueAtPath(record, conflict.path);
  if (!conflict.fields) return value;
  const members = conflict.fields.map((field) => [field, valueAtPath(value, [field])] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== absent));
}

/** The value at a path of known fields; `absent` where nothing is. */
export function valueAtPath(record: unknown, path: Path): unknown {
  let value = record;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return absent;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

/** Whether two paths name the same place. */
export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}
