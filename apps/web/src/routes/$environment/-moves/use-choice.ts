import type { Move, MoveChoice } from '@gatehouse/api-types/console/moves';
import type { Decision } from '@gatehouse/record-merge/resolve';
import { fetchPart } from '@gatehouse/ui/lazy';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { watchFocus } from '#lib/focus.ts';
import { moveQuery, useMoveWrites } from '#queries/move.ts';
import type { ChoiceConflict } from './choice-conflict.ts';

/** A move's choice in editing. Each change is saved immediately, against the last seen revision. */
export type ChoiceEdit = ReturnType<typeof useChoice>;

/** The most times that non-overlapping changes of both sides are merged without asking. */
const mostRounds = 5;

// Loaded on demand, because two windows on one plan are rare.
const loadConflict = () => fetchPart(() => import('./choice-conflict.ts'));

/** @param canChoose whether the move accepts another choice now */
export function useChoice(environment: string, move: Move, canChoose: boolean) {
  const client = useQueryClient();
  const writes = useMoveWrites(environment);
  const [conflict, setConflict] = useState<ChoiceConflict>();
  const [wanted, setWanted] = useState<MoveChoice>();
  const [isPending, setPending] = useState(false);
  const [stoppedSaves, setStoppedSaves] = useState(0);
  /** The choice to save next: changes made during a save are saved together afterwards. */
  const next = useRef<MoveChoice>(undefined);
  /** The newest revision that the page knows while it saves changes. */
  const stored = useRef<Pick<Move, 'revision' | 'choice'>>(move);

  /** @returns whether it was saved; false if a decision is needed */
  const keep = async (mine: MoveChoice, before?: ChoiceConflict, round = 1): Promise<boolean> => {
    const { revision, choice: saved } = stored.current;
    const decisions = before && (await loadConflict()).toldOf(before, mine);
    try {
      stored.current = await writes.choose(move.id, { revision, decisions }, mine);
      setConflict(undefined);
      return true;
    } catch (error) {
      const details = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
      if (details === undefined || round > mostRounds) throw error;
      const { decided, meet } = await loadConflict();
      const theirs = await client.fetchQuery({
        ...moveQuery({ environment, move: move.id }),
        staleTime: 0,
      });
      const state = meet(
        before,
        { saved, mine, theirs: theirs.choice },
        // A move has a single owner.
        { changedBy: details.changedBy, changedAt: details.changedAt, isYours: true },
      );
      stored.current = theirs;
      const both = state && decided(state);
      if (both !== undefined) return keep(both, state, round + 1);
      setConflict(state);
      return false;
    }
  };

  const keepAll = async (before?: ChoiceConflict): Promise<void> => {
    setPending(true);
    try {
      while (next.current !== undefined) {
        const mine = next.current;
        next.current = undefined;
        if (!(await keep(mine, before))) break;
      }
    } catch (error) {
      setConflict(undefined);
      const { title, detail, requestId } = wordsOf(error);
      toasts.danger({ title, detail, ...(requestId !== undefined && { requestId }) });
    } finally {
      next.current = undefined;
      setWanted(undefined);
      setPending(false);
    }
  };

  const choice = wanted ?? move.choice;
  return {
    /** The choice, including unsaved changes. */
    choice,
    isPending,
    change: (changes: Partial<MoveChoice>): void => {
      if (conflict !== undefined) return;
      if (!canChoose) {
        toasts.info({ title: 'Wait until both registries are compared' });
        return;
      }
      if (!isPending) stored.current = move;
      const mine = { ...choice, ...changes };
      watchFocus();
      setWanted(mine);
      next.current = mine;
      if (!isPending) void keepAll();
    },
    /** A concurrent change by another window. Further changes wait for the decision. */
    conflict,
    decide: (id: string, decision: Decision): void => {
      void loadConflict().then(({ decide }) => {
        setConflict((state) => state && decide(state, id, decision));
      });
    },
    /** Saves the decided choice. */
    save: (): void => {
      if (conflict === undefined || isPending) return;
      watchFocus();
      void loadConflict().then(async ({ decided }) => {
        next.current = decided(conflict);
        if (next.current === undefined) setStoppedSaves((count) => count + 1);
        else await keepAll(conflict);
      });
    },
    stoppedSaves,
  };
}
