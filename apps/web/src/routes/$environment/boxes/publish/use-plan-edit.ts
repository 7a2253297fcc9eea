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

/** The plan of a run while one of its steps is filled in, through whatever other windows do to it. */
export type PlanEdit = ReturnType<typeof usePlanEdit>;

const emptyPlan: PublishPlan = { box: null, version: null, providers: [] };

/**
 * @param run undefined where saving begins it
 * @param show puts a plan into the fields of the step
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
    /** What is stored, as this step knows it. */
    stored: (): PublishPlan => stored.current?.plan ?? emptyPlan,
    conflict,
    /** What the step shows, merged. */
    shown: conflict.kind === 'changed' ? decidedRecord(conflict) : (stored.current?.plan ?? emptyPlan),
    /** How often saving was stopped by conflicts that are not decided. */
    stoppedSaves,
    /**
     * Saves the plan over the one that the step began with.
     * @returns undefined where it was not: somebody changed it meanwhile, and both are put together to be looked at
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
        // A run is one person's own.
        meet(plan, theirs.data, { changedBy: null, changedAt: details.changedAt, isYours: true });
        return undefined;
      }
    },
    /** Takes what a step of this page came to as what is stored. */
    adopt: (answer: PublishRun): void => {
      // What another window changed in between is met with the next save.
      if (deepEqual(planOfRun(answer), stored.current?.plan)) stored.current = keptOf(answer);
    },
    /** @param values the plan as the fields hold it */
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
