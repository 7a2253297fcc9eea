import { decisionsText } from '@gatehouse/api-types/console/decisions';
import { moveChoicePolicy, type Move, type MoveChoice } from '@gatehouse/api-types/console/moves';
import type { Decision } from '@gatehouse/record-merge/resolve';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { useReducer, useRef, useState } from 'react';
import {
  conflictReducer,
  decidedRecord,
  toldBy,
  undecided,
  type ConflictEvent,
  type ConflictState,
} from '#components/conflict/conflict-state.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { moveQuery, useMoveWrites } from '#queries/moves.ts';

/** The choice of a move while it is changed: each change is kept at once, over the revision that was seen. */
export interface ChoiceEdit {
  /** As it is, with what is being kept. */
  readonly choice: MoveChoice;
  readonly isPending: boolean;
  readonly change: (next: Partial<MoveChoice>) => void;
  /** Another window changed the same meanwhile. */
  readonly conflict: ConflictState<MoveChoice>;
  readonly decide: (id: string, decision: Decision) => void;
  /** Keeps what was decided. */
  readonly save: () => void;
  readonly stoppedSaves: number;
}

type Stored = Pick<Move, 'revision' | 'choice'>;

/** Changes of both sides that do not meet are put together without asking, this often at most. */
const mostRounds = 5;

export function useChoice(environment: string, move: Move): ChoiceEdit {
  const client = useQueryClient();
  const writes = useMoveWrites(environment);
  const [conflict, dispatch] = useReducer(conflictReducer<MoveChoice>, { kind: 'none' });
  const [wanted, setWanted] = useState<MoveChoice>();
  const [isPending, setPending] = useState(false);
  const [stoppedSaves, setStoppedSaves] = useState(0);
  /** What is kept next: changes that come while one is being kept are kept together after it. */
  const next = useRef<MoveChoice>(undefined);
  /** The newest revision that this page knows while it keeps changes. */
  const stored = useRef<Stored>(move);
  /** What was being changed when it turned out to have been changed elsewhere. */
  const met = useRef<ConflictState<MoveChoice>>({ kind: 'none' });

  /** @returns whether it was kept; not where something is to be decided */
  const keep = async (mine: MoveChoice, round = 1): Promise<boolean> => {
    const { revision, choice: saved } = stored.current;
    try {
      const decisions = decisionsText(toldBy(met.current, mine));
      stored.current = await writes.choose(move.id, { revision, decisions }, mine);
      met.current = { kind: 'none' };
      dispatch({ type: 'settled' });
      return true;
    } catch (error) {
      const details = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
      if (details === undefined || round > mostRounds) throw error;
      const place = { environment, move: move.id };
      const theirs = await client.fetchQuery({ ...moveQuery(place), staleTime: 0 });
      const event: ConflictEvent<MoveChoice> = {
        type: 'changed',
        policy: moveChoicePolicy,
        saved,
        values: mine,
        theirs: theirs.choice,
        author: { changedBy: details.changedBy ?? 'another window of yours', changedAt: details.changedAt },
      };
      const state = conflictReducer(met.current, event);
      stored.current = theirs;
      if (state.kind === 'changed' && undecided(state).length === 0)
        return keep(decidedRecord(state), round + 1);
      met.current = state;
      dispatch(event);
      return false;
    }
  };

  const keepAll = async (): Promise<void> => {
    setPending(true);
    try {
      while (next.current !== undefined) {
        const mine = next.current;
        next.current = undefined;
        if (!(await keep(mine))) {
          next.current = undefined;
          return;
        }
      }
      setWanted(undefined);
    } catch (error) {
      next.current = undefined;
      setWanted(undefined);
      const { title, detail, requestId } = wordsOf(error);
      toasts.danger({ title, detail, ...(requestId !== undefined && { requestId }) });
    } finally {
      setPending(false);
    }
  };

  const choice = conflict.kind === 'changed' ? decidedRecord(conflict) : (wanted ?? move.choice);
  return {
    choice,
    isPending,
    change: (changes) => {
      if (conflict.kind === 'changed') return;
      if (!isPending) stored.current = move;
      const mine = { ...choice, ...changes };
      setWanted(mine);
      next.current = mine;
      if (!isPending) void keepAll();
    },
    conflict,
    decide: (id, decision) => {
      const event = { type: 'decided', id, decision } as const;
      met.current = conflictReducer(met.current, event);
      dispatch(event);
    },
    save: () => {
      if (undecided(met.current).length > 0) {
        setStoppedSaves((count) => count + 1);
        return;
      }
      if (met.current.kind !== 'changed') return;
      next.current = decidedRecord(met.current);
      setWanted(next.current);
      void keepAll();
    },
    stoppedSaves,
  };
}
