/** Resolves a choice that another window changed concurrently. */
import { decisionsText } from '@gatehouse/api-types/console/decisions';
import { moveChoicePolicy, type MoveChoice } from '@gatehouse/api-types/console/moves';
import type { Decision } from '@gatehouse/record-merge/resolve';
import {
  conflictReducer,
  decidedRecord,
  toldBy,
  undecided,
  type Author,
  type ChangedMeanwhile,
} from '#components/conflict/conflict-state.ts';

export type ChoiceConflict = ChangedMeanwhile<MoveChoice>;

/** Merges both sides. @param before the decisions so far */
export function meet(
  before: ChoiceConflict | undefined,
  sides: { readonly saved: MoveChoice; readonly mine: MoveChoice; readonly theirs: MoveChoice },
  author: Author,
): ChoiceConflict | undefined {
  const state = conflictReducer<MoveChoice>(before ?? { kind: 'none' }, {
    type: 'changed',
    policy: moveChoicePolicy,
    saved: sides.saved,
    values: sides.mine,
    theirs: sides.theirs,
    author,
  });
  return state.kind === 'changed' ? state : undefined;
}

export function decide(state: ChoiceConflict, id: string, decision: Decision): ChoiceConflict {
  const next = conflictReducer<MoveChoice>(state, { type: 'decided', id, decision });
  return next.kind === 'changed' ? next : state;
}

/** The decided choice; undefined while decisions are open. */
export function decided(state: ChoiceConflict): MoveChoice | undefined {
  return undecided(state).length > 0 ? undefined : decidedRecord(state);
}

/** The decisions, for the audit trail. */
export function toldOf(state: ChoiceConflict, choice: MoveChoice): string | undefined {
  return decisionsText(toldBy(state, choice));
}
