/**
 * What happens to an edit when someone else changes, deletes or creates the record during it. Pure: the form
 * holds the shown record; this state holds the merge and its decisions.
 */
import type { Decision as ToldDecision } from '@gatehouse/api-types/console/decisions';
import type { ConflictDetails } from '@gatehouse/api-types/console/problem';
import { merge, type Change, type Conflict, type MergeResult, type Path } from '@gatehouse/record-merge';
import { absent } from '@gatehouse/record-merge/absent';
import { entriesOf, entryPolicy, isContainer } from '@gatehouse/record-merge/container';
import { deepEqual } from '@gatehouse/record-merge/equal';
import type { FieldPolicy, RecordPolicy } from '@gatehouse/record-merge/policy';
import { carryDecisions, resolve, type Decision } from '@gatehouse/record-merge/resolve';

/** Who changed the record, and when (RFC 3339); null if the service doesn't report it. */
export type Author = Pick<ConflictDetails, 'changedBy' | 'changedAt' | 'isYours'>;

export type Decisions = ReadonlyMap<string, Decision>;

export interface ChangedMeanwhile<T> extends Author {
  readonly kind: 'changed';
  readonly result: MergeResult<T>;
  /** The stored record, which the next save is based on. */
  readonly theirs: T;
  readonly decisions: Decisions;
  /** Others' changes that earlier rounds accepted and that should still be shown. */
  readonly earlier: readonly Change[];
  /** 1 for the first change by others, 2 for the next, and so on. */
  readonly round: number;
  /** How many decisions of the previous round remain, and how many were reopened. */
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
  /** The stored record differs from the edit's base. `values` are those of the form. */
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
  /** Saved or discarded. */
  | { readonly type: 'settled' };

/** The next state. Events that don't fit the state are ignored. */
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
  const made = decisionsIn(state, values);
  // Open conflicts are merged again from the edit's base, everything else from the state that the user saw.
  const again = (open: readonly Conflict[]): MergeResult<T> =>
    merge(
      policy,
      withValues(policy, state.theirs, open, ({ base }) => base),
      withValues(policy, values, open, (conflict) =>
        made.has(conflict.id) ? conflict.mine : ownValue(policy, values, conflict),
      ),
      theirs,
    );
  const { conflicts } = state.result;
  const held = conflicts.filter((conflict) => holderOf(policy, values, conflict) !== undefined);
  const decisions = carryDecisions(state.result, again(held), made);
  // The value of a decision that no longer holds becomes mine, so that the rejected value doesn't return.
  const result = again(held.filter(({ id }) => !made.has(id) || decisions.has(id)));
  const isOpen = (decided: Conflict): boolean =>
    result.conflicts.some((conflict) => !decisions.has(conflict.id) && overlap(conflict, decided));
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
    askedAgain: conflicts.filter((conflict) => made.has(conflict.id) && isOpen(conflict)).length,
    ...author,
  };
}

/** The record with these values at the conflicts. */
function withValues<T>(
  policy: RecordPolicy,
  record: T,
  conflicts: readonly Conflict[],
  valueOf: (conflict: Conflict) => unknown,
): T {
  const values = new Map<string, Decision>();
  for (const conflict of conflicts) values.set(conflict.id, { choice: 'edited', value: valueOf(conflict) });
  return resolve({ merged: record, changes: [], conflicts, policy }, values).record;
}

/** The user's value at an undecided conflict: their edit, or what they have typed in its place since. */
function ownValue(policy: RecordPolicy, values: unknown, conflict: Conflict): unknown {
  const shown = valueIn(policy, values, conflict);
  return deepEqual(shown, conflict.theirs) ? conflict.mine : shown;
}

/** The form's values with a decision about one conflict applied; other typed values stay. */
export function withDecision<T>(state: ChangedMeanwhile<T>, values: T, id: string, decision: Decision): T {
  const { policy, conflicts } = state.result;
  const found = conflicts.filter((conflict) => conflict.id === id);
  // The form no longer has the conflict's parent, so the whole record is shown again.
  if (found.some((conflict) => holderOf(policy, values, conflict) === undefined))
    return decidedRecord({ ...state, decisions: new Map(state.decisions).set(id, decision) });
  return withValues(policy, values, found, ({ mine, theirs }) =>
    decision.choice === 'edited' ? decision.value : decision.choice === 'mine' ? mine : theirs,
  );
}

/** The decisions as in the form: a field edited after its decision counts as edited. */
export function decisionsIn<T>(state: ChangedMeanwhile<T>, values: T): Decisions {
  const decisions = new Map(state.decisions);
  const decided = resolve(state.result, decisions).record;
  for (const conflict of state.result.conflicts) {
    if (!decisions.has(conflict.id)) continue;
    const value = valueIn(state.result.policy, values, conflict);
    if (!deepEqual(value, valueIn(state.result.policy, decided, conflict)))
      decisions.set(conflict.id, { choice: 'edited', value });
  }
  return decisions;
}

/** The decisions behind a save, by path, without values: for the audit trail. */
export function toldBy<T>(state: ConflictState<T>, values: T): readonly ToldDecision[] {
  if (state.kind !== 'changed') return [];
  const decided = [...decisionsIn(state, values)].map(([path, { choice }]) => ({ path, choice }));
  const isJoined = acceptedChanges(state).some(({ side }) => side !== 'mine');
  return isJoined ? [...decided, { path: '', choice: 'merged' }] : decided;
}

/** The record to show in the form: merged, with the decisions, and theirs at open conflicts. */
export function decidedRecord<T>(state: ChangedMeanwhile<T>): T {
  return resolve(state.result, state.decisions).record;
}

/** Conflicts without a decision. */
export function undecided<T>(state: ConflictState<T>): readonly Conflict[] {
  return state.kind === 'changed' ? state.result.conflicts.filter(({ id }) => !state.decisions.has(id)) : [];
}

/** Changes of all rounds that were accepted automatically, to be marked in the form. */
export function acceptedChanges<T>(state: ConflictState<T>): readonly Change[] {
  return state.kind === 'changed' ? [...state.earlier, ...state.result.changes] : [];
}

/** The dotted paths of a conflict's fields. */
export function conflictPaths(conflict: Pick<Conflict, 'path' | 'fields'>): readonly string[] {
  return pathsOf(conflict).map((keys) => keys.join('.'));
}

function pathsOf({ path, fields }: Pick<Conflict, 'path' | 'fields'>): readonly Path[] {
  return fields?.map((field) => [...path, field]) ?? [path];
}

/** The conflict that a field is part of. @param path dotted */
export function conflictAt<T>(state: ConflictState<T>, path: string): Conflict | undefined {
  return state.kind === 'changed'
    ? state.result.conflicts.find((conflict) => conflictPaths(conflict).includes(path))
    : undefined;
}

/** A record's value at a conflict; for a group, an object of its fields, or `absent` without any. */
export function valueAt(record: unknown, conflict: Pick<Conflict, 'path' | 'fields'>): unknown {
  const value = valueAtPath(record, conflict.path);
  if (!conflict.fields) return value;
  const members = conflict.fields.map((field) => [field, valueAtPath(value, [field])] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== absent));
}

/** Like `valueAt`, but with the record's policy, which finds list items by key. */
function valueIn(policy: RecordPolicy, record: unknown, conflict: Conflict): unknown {
  const holder = holderOf(policy, record, conflict);
  const { fields, path } = conflict;
  if (fields) return Object.fromEntries([...(holder ?? [])].filter(([key]) => fields.includes(key)));
  const key = path.at(-1);
  return key !== undefined && holder?.has(key) === true ? holder.get(key) : absent;
}

/** The container of a conflict's entry; undefined if the record no longer has it. */
function holderOf(
  policy: RecordPolicy,
  record: unknown,
  { path, fields }: Conflict,
): ReadonlyMap<string, unknown> | undefined {
  let at: FieldPolicy = policy;
  let entries = entriesOf(policy, record);
  for (const key of fields ? path : path.slice(0, -1)) {
    if (!isContainer(at)) return undefined;
    at = entryPolicy(at, key);
    entries = isContainer(at) ? entriesOf(at, entries?.get(key)) : undefined;
  }
  return entries;
}

/** Whether two conflicts are about the same field, or one about a part of the other's. */
function overlap(a: Conflict, b: Conflict): boolean {
  const isWithin = (inner: Path, outer: Path): boolean => samePath(inner.slice(0, outer.length), outer);
  return pathsOf(a).some((one) => pathsOf(b).some((other) => isWithin(one, other) || isWithin(other, one)));
}

/** The value at a path of object keys; `absent` if missing. */
export function valueAtPath(record: unknown, path: Path): unknown {
  let value = record;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return absent;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

/** Whether two paths are equal. */
export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}
