import { decisionsText } from '@gatehouse/api-types/console/decisions';
import {
  planOfRun,
  publishPlanPolicy,
  publishRun,
  type PublishPlan,
  type PublishRun,
} from '@gatehouse/api-types/console/publish';
import { deepEqual } from '@gatehouse/record-merge/equal';
import type { Decision } from '@gatehouse/record-merge/resolve';
import { useReducer, useRef, useState } from 'react';
import {
  conflictReducer,
  decidedRecord,
  toldBy,
  undecided,
  withDecision,
  type Author,
  type ConflictEvent,
} from '#components/conflict/conflict-state.ts';
import { isApiError } from '#lib/api-error.ts';
import { watchFocus } from '#lib/focus.ts';
import { usePublishWrites } from '#queries/publish.ts';
import { sentPlan } from './plan-words.ts';

/** A run's plan in the form of a step, merged with changes from other windows. */
export type PlanEdit = ReturnType<typeof usePlanEdit>;

const emptyPlan: PublishPlan = { box: null, version: null, providers: [] };

/**
 * @param run undefined if saving starts it
 * @param show puts a plan into the step's fields
 */
export function usePlanEdit(
  environment: string,
  run: PublishRun | undefined,
  show: (plan: PublishPlan) => void,
) {
  const writes = usePublishWrites(environment);
  const stored = useRef(run === undefined ? undefined : keptOf(run));
  const [conflict, dispatch] = useReducer(conflictReducer<PublishPlan>, { kind: 'none' });
  const [stoppedSaves, setStoppedSaves] = useState(0);

  const meet = (mine: PublishPlan, theirs: PublishRun, author: Author): void => {
    const event: ConflictEvent<PublishPlan> = {
      type: 'changed',
      policy: publishPlanPolicy,
      saved: stored.current?.plan ?? emptyPlan,
      values: mine,
      theirs: planOfRun(theirs),
      author,
    };
    const next = conflictReducer(conflict, event);
    dispatch(event);
    stored.current = keptOf(theirs);
    setStoppedSaves(0);
    if (next.kind === 'changed') show(structuredClone(decidedRecord(next)));
  };

  return {
    /** The stored plan as this step knows it. */
    stored: (): PublishPlan => stored.current?.plan ?? emptyPlan,
    conflict,
    /** The merged plan that the step shows. */
    shown: conflict.kind === 'changed' ? decidedRecord(conflict) : (stored.current?.plan ?? emptyPlan),
    /** How often unresolved conflicts stopped a save. */
    stoppedSaves,
    /**
     * Saves the plan over the one the step began with.
     * @returns undefined if it wasn't saved: another window changed it, so both are merged for you to review
     * @throws ApiError
     */
    save: async (plan: PublishPlan): Promise<PublishRun | undefined> => {
      watchFocus();
      if (undecided(conflict).length > 0) {
        setStoppedSaves((count) => count + 1);
        return undefined;
      }
      try {
        const before = stored.current;
        const saved =
          before === undefined
            ? await writes.create(sentPlan(plan))
            : await writes.plan(
                { ...before, decisions: decisionsText(toldBy(conflict, plan)) },
                sentPlan(plan),
              );
        dispatch({ type: 'settled' });
        stored.current = keptOf(saved);
        return saved;
      } catch (error) {
        const details = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
        const theirs = details === undefined ? undefined : publishRun.safeParse(details.current);
        if (details === undefined || theirs?.success !== true) throw error;
        // A run belongs to one user.
        meet(plan, theirs.data, { changedBy: null, changedAt: details.changedAt, isYours: true });
        return undefined;
      }
    },
    /** Treats a step's result as the stored plan. */
    adopt: (answer: PublishRun): void => {
      // Another window's changes are merged at the next save.
      if (deepEqual(planOfRun(answer), stored.current?.plan)) stored.current = keptOf(answer);
    },
    /** @param values the plan in the form */
    decide: (values: PublishPlan, id: string, decision: Decision): void => {
      if (conflict.kind !== 'changed') return;
      dispatch({ type: 'decided', id, decision });
      show(structuredClone(withDecision(conflict, values, id, decision)));
    },
  };
}

function keptOf(run: PublishRun) {
  return { id: run.id, revision: run.revision, plan: planOfRun(run) };
}
