import { decisionsText } from '@gatehouse/api-types/console/decisions';
import { absent } from '@gatehouse/record-merge/absent';
import { deepEqual } from '@gatehouse/record-merge/equal';
import type { Decision } from '@gatehouse/record-merge/resolve';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import {
  useForm,
  type DefaultValues,
  get,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import * as z from 'zod/mini';
import { isApiError, type ApiError } from '#lib/api-error.ts';
import type { Guard } from '#lib/api.ts';
import { mayAskBeforeLeaving } from '#lib/dirty-guard.ts';
import { mayMoveFocus, watchFocus } from '#lib/focus.ts';
import {
  conflictAt,
  conflictReducer,
  decidedRecord,
  toldBy,
  undecided,
  valueAtPath,
  type Author,
  type ConflictEvent,
  type ConflictState,
} from '../conflict/conflict-state.ts';
import { changesBetween, type RecordChange } from './field-changes.ts';
import {
  entryAt,
  fieldAt,
  fieldsOf,
  lackingFields,
  schemaOver,
  type RecordFormSpec,
  type Stored,
} from './record-form.ts';

// Without a locale, every message of the library is "Invalid input".
z.config(z.locales.en());

export interface RecordFormOptions<Values extends FieldValues> {
  spec: RecordFormSpec<Values>;
  /** The record that the edit begins with. Later values are ignored: changes arrive through `latest`. */
  stored: Stored<Values>;
  /** The stored record as last read, possibly with another revision than the edit began with. */
  latest?: (Stored<Values> & Author) | undefined;
  /** What the user changed in other ways than by this form; not reported as someone else's. */
  own?: Partial<Values> | undefined;
  /** Confirms the first write if it may do harm. If refused, nothing is written and the edit stays. */
  mayWrite?: ((values: Values, stored: Stored<Values>) => Promise<boolean>) | undefined;
  /** Writes the values over `stored`, guarded by `guard`, and returns the stored record. Throws ApiError. */
  write: (values: Values, stored: Stored<Values>, guard: Guard) => Promise<Stored<Values>>;
  /** Called after everything is saved, to leave the form. */
  onSaved: () => void;
  /** The editable fields of a conflict's record; reads what the conflict omits. Rejects with ApiError. */
  readRecord: (current: unknown) => Values | Promise<Values>;
  /** The base for saving mine over a record that was created since, if not all of it is known. */
  overwritten?: (theirs: Values) => Values;
  /** Reads the stored record to determine the outcome of a write without an answer; undefined if deleted. */
  reread?: () => Promise<(Stored<Values> & Author) | undefined>;
}

export interface RecordForm<Values extends FieldValues> {
  readonly spec: RecordFormSpec<Values>;
  readonly methods: UseFormReturn<Values, unknown, Values>;
  readonly values: Values;
  readonly stored: Stored<Values>;
  readonly changes: readonly RecordChange[];
  readonly conflict: ConflictState<Values>;
  readonly isSaving: boolean;
  /** Why the last save was refused, if it isn't about a field. */
  readonly failure: unknown;
  /** Problems from the server that belong to no field of the form. */
  readonly otherProblems: readonly string[];
  /** Whether someone has changed the record and this form doesn't include it yet. */
  readonly isBehind: boolean;
  /** How often a conflict stopped a save: it was open, or its chosen value was refused. */
  readonly stoppedSaves: number;
  readonly save: () => void;
  readonly undo: (id: string) => void;
  readonly undoAll: () => void;
  readonly decide: (id: string, decision: Decision) => void;
  readonly setField: (path: readonly string[], value: unknown) => void;
  /**
   * Fills in what wasn't read of the stored record at first, there and in the form: not an edit. Does nothing if the
   * form is already based on another revision.
   */
  readonly learn: (revision: string | null, fill: (record: Values) => Values) => void;
  /** Merges `latest` into the form. */
  readonly catchUp: () => void;
  /** Compares with the stored record; defined after a save without an answer. */
  readonly compare: (() => void) | undefined;
  /**
   * After someone created the same record: adopts theirs instead of the edit, or keeps mine to save it over
   * theirs.
   */
  readonly settleCreated: (choice: 'theirs' | 'mine') => void;
  /** The number of unsaved edits: changes, and own values in open conflicts. */
  readonly unsaved: number;
  /** Whether leaving now would lose something. Called when the page is about to be left. */
  readonly wouldLose: () => boolean;
  /** Makes leaving lose nothing from now on: the edit was saved elsewhere or discarded. */
  readonly release: () => void;
}

const nobody: Author = { changedBy: null, changedAt: null };

/** The state of one edit, from the stored record to the saved one, including others' concurrent changes. */
export function useRecordForm<Values extends FieldValues>(
  options: RecordFormOptions<Values>,
): RecordForm<Values> {
  const { spec, latest, own, mayWrite, write, onSaved, readRecord, overwritten, reread } = options;
  const [stored, setStored] = useState(options.stored);
  const methods = useForm<Values, unknown, Values>({
    // The stored record is complete, so every field has a default.
    defaultValues: structuredClone(options.stored.record) as DefaultValues<Values>,
    resolver: zodResolver<Values, unknown, Values>(schemaOver(spec, stored.record)),
    mode: 'onTouched',
    shouldFocusError: true,
  });
  const [conflict, dispatch] = useReducer(conflictReducer<Values>, { kind: 'none' });
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [otherProblems, setOtherProblems] = useState<readonly string[]>([]);
  const [stoppedSaves, setStoppedSaves] = useState(0);
  const isBusy = useRef(false);
  const isDone = useRef(false);
  const values = methods.watch();
  const changes = changesBetween(spec, stored.record, values);
  // During a save, the stored record may be the result of that save.
  const isOther =
    !isSaving && latest !== undefined && latest.revision !== stored.revision && conflict.kind !== 'deleted';
  const isOwn =
    isOther && own !== undefined && deepEqual(latest.record, Object.assign({}, stored.record, own));
  const isBehind = isOther && !isOwn;

  // A save may be answered after further edits and decisions, so its answer is merged with the current ones.
  const unsaved = changes.length + undecided(conflict).length;
  const now = useRef({ conflict, stored, unsaved });
  useLayoutEffect(() => {
    now.current = { conflict, stored, unsaved };
  });

  const show = (record: Values): void => {
    methods.reset(structuredClone(record), { keepTouched: true });
  };

  const meet = (theirs: Stored<Values>, author: Author): void => {
    const event: ConflictEvent<Values> = {
      type: 'changed',
      policy: spec.policy,
      saved: now.current.stored.record,
      values: methods.getValues(),
      theirs: theirs.record,
      author,
    };
    const next = conflictReducer(now.current.conflict, event);
    dispatch(event);
    // Merged records have no prototype and share parts, so the page keeps a clone.
    setStored({ record: structuredClone(theirs.record), revision: theirs.revision });
    setFailure(undefined);
    setStoppedSaves(0);
    if (next.kind === 'changed') show(decidedRecord(next));
  };

  useEffect(() => {
    if (!isOwn) return;
    const edited = methods.getValues();
    const untouched = Object.keys(own).filter((name) => deepEqual(edited[name], stored.record[name]));
    setStored({ record: structuredClone(latest.record), revision: latest.revision });
    show(Object.assign({}, edited, ...untouched.map((name) => ({ [name]: own[name] }))));
    // oxlint-disable-next-line react/exhaustive-deps -- once for each stored state
  }, [isOwn, latest?.revision]);

  const isInConflict = (path: string): boolean => conflictAt(conflict, path) !== undefined;
  /** Whether an editor on the page shows the field's error. */
  const isEditable = (path: string): boolean =>
    spec.sections.some(({ fields }) => fields.some((field) => field.path === path)) && !isInConflict(path);

  /** Sends nothing. Errors that no editor shows appear above the buttons, or at their decision. */
  const refuseTyped = (errors: FieldErrors<Values>): void => {
    const refused = fieldsOf(spec).flatMap(({ path, label }) => {
      const message = messageAt(errors, path);
      return message === undefined ? [] : [{ path, label, message }];
    });
    setOtherProblems(
      refused
        .filter(({ path }) => !isEditable(path) && !isInConflict(path))
        .map(({ label, message }) => `${label}: ${message}`),
    );
    if (refused.some(({ path }) => isInConflict(path))) setStoppedSaves((count) => count + 1);
  };

  /** Shows the server's problems at their fields, and the others above the buttons. */
  const placeProblems = (error: ApiError): boolean => {
    const problems = error.problem?.fields ?? [];
    const others: string[] = [];
    let isFirst = true;
    for (const { path, message } of problems) {
      const field = fieldAt(spec, path.split('.'));
      if (field)
        methods.setError(field.path, { type: 'server', message }, { shouldFocus: isFirst && mayMoveFocus() });
      if (field && isEditable(field.path)) isFirst = false;
      else if (!isInConflict(path)) others.push(field ? `${field.label}: ${message}` : message);
    }
    setOtherProblems(others);
    if (problems.some(({ path }) => isInConflict(path))) setStoppedSaves((count) => count + 1);
    return problems.length > 0;
  };

  const refuse = async (error: unknown): Promise<void> => {
    const details = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
    if (details) {
      const { changedBy, changedAt, isYours } = details;
      const author = { changedBy, changedAt, isYours };
      if (details.reason === 'deleted') dispatch({ type: 'deleted', author });
      // Someone else's record can't be read, so there is nothing to compare with.
      else if (details.current === null) setFailure(error);
      else {
        const theirs = { record: await readRecord(details.current), revision: details.currentRevision };
        if (details.reason === 'modified') meet(theirs, author);
        else dispatch({ type: 'created', theirs: theirs.record, revision: theirs.revision, author });
      }
    } else if (isApiError(error, 'not-found') && now.current.stored.revision !== null) {
      dispatch({ type: 'deleted', author: nobody });
    } else if (!(isApiError(error, 'invalid-request') && placeProblems(error))) {
      setFailure(error);
    }
  };

  const send = async (record: Values): Promise<void> => {
    if (isBusy.current) return;
    if (undecided(now.current.conflict).length > 0) {
      setStoppedSaves((count) => count + 1);
      return;
    }
    isBusy.current = true;
    setSaving(true);
    setFailure(undefined);
    setOtherProblems([]);
    const typed = structuredClone(methods.getValues());
    try {
      const decisions = decisionsText(toldBy(now.current.conflict, record));
      const { stored } = now.current;
      if (mayWrite !== undefined && !(await mayWrite(record, stored))) return;
      const saved = await write(record, stored, { revision: stored.revision ?? '', decisions });
      dispatch({ type: 'settled' });
      setStored(saved);
      // If the user typed during the save, the form stays.
      if (deepEqual(typed, methods.getValues())) {
        isDone.current = true;
        onSaved();
      }
    } catch (error) {
      // A user who dismisses the password dialog knows that nothing was saved.
      if (isApiError(error, 'confirmation-required')) return;
      // If their record can't be read, that error is shown as the refusal: saving again retries.
      await refuse(error).catch(refuse);
    } finally {
      isBusy.current = false;
      setSaving(false);
    }
  };

  const setField = (path: readonly string[], value: unknown): void => {
    const entry = entryAt(spec, path);
    if (entry !== undefined) {
      // Entry keys may contain dots, so the form library sees only the field that contains all entries.
      const entries: unknown = methods.getValues(entry.field.path);
      setField(entry.field.path.split('.'), withEntry(entries, entry.key, value));
      return;
    }
    // The path and the value are from a record of this form's type.
    methods.setValue(
      path.join('.') as FieldPath<Values>,
      structuredClone(value === absent ? undefined : value) as never,
      {
        shouldValidate: true,
        shouldTouch: true,
      },
    );
  };

  const decide = (id: string, decision: Decision): void => {
    const found =
      conflict.kind === 'changed' ? conflict.result.conflicts.find((item) => item.id === id) : undefined;
    if (conflict.kind !== 'changed' || !found) return;
    dispatch({ type: 'decided', id, decision });
    const record = decidedRecord({ ...conflict, decisions: new Map(conflict.decisions).set(id, decision) });
    for (const path of found.fields?.map((field) => [...found.path, field]) ?? [found.path]) {
      setField(path, valueAtPath(record, path));
    }
  };

  // Other edits may have changed whether a field is required, so its error is updated.
  const lacking = lackingFields(spec, values, stored.record)
    .map(({ path }) => path.join('.'))
    .join(' ');
  useEffect(() => {
    for (const { path, requiredBy } of fieldsOf(spec)) {
      if (requiredBy !== undefined && methods.getFieldState(path).error !== undefined)
        void methods.trigger(path);
    }
  }, [lacking, methods, spec]);

  return {
    spec,
    methods,
    values,
    stored,
    changes,
    conflict,
    isSaving,
    failure,
    otherProblems,
    isBehind,
    stoppedSaves,
    setField,
    save: () => {
      if (!isBusy.current) watchFocus();
      void methods.handleSubmit(send, refuseTyped)();
    },
    undo: (id) => {
      const change = changes.find((item) => item.id === id);
      if (change === undefined) return;
      const together = conflictAt(conflict, change.path.join('.'));
      // Fields of one group are undone together.
      if (together?.fields === undefined) setField(change.path, change.stored);
      else decide(together.id, { choice: 'current' });
    },
    undoAll: () => {
      show(stored.record);
      setFailure(undefined);
      setOtherProblems([]);
    },
    decide,
    learn: (revision, fill) => {
      if (now.current.stored.revision !== revision) return;
      const filled = { record: fill(now.current.stored.record), revision };
      // A conflict may be merged before the next render.
      now.current = { ...now.current, stored: filled };
      setStored(filled);
      show(fill(methods.getValues()));
    },
    catchUp: () => {
      watchFocus();
      if (latest) meet(latest, latest);
    },
    compare:
      reread &&
      (() => {
        watchFocus();
        setSaving(true);
        reread()
          .then((found) => {
            if (found) meet(found, found);
            else dispatch({ type: 'deleted', author: nobody });
          }, setFailure)
          .finally(() => {
            setSaving(false);
          });
      }),
    settleCreated: (choice) => {
      if (conflict.kind !== 'created') return;
      const known =
        choice === 'mine' && overwritten !== undefined ? overwritten(conflict.theirs) : conflict.theirs;
      setStored({ record: structuredClone(known), revision: conflict.revision });
      if (choice === 'theirs') show(conflict.theirs);
      dispatch({ type: 'settled' });
    },
    unsaved,
    wouldLose: () => !isDone.current && mayAskBeforeLeaving() && now.current.unsaved > 0,
    release: () => {
      isDone.current = true;
    },
  };
}

/** The error message of a field. @param path dotted */
export function messageAt(errors: FieldErrors, path: string): string | undefined {
  const error: unknown = get(errors, path);
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  return typeof error.message === 'string' ? error.message : undefined;
}

/** The entries with one set, or removed if it is `absent`. */
function withEntry(entries: unknown, key: string, value: unknown): Record<string, unknown> {
  const next = new Map<string, unknown>(
    typeof entries === 'object' && entries !== null ? Object.entries(entries) : [],
  );
  if (value === absent) next.delete(key);
  else next.set(key, value);
  return Object.fromEntries(next);
}
