import type { PublishPlan } from '@gatehouse/api-types/console/publish';
import type { Conflict } from '@gatehouse/record-merge';
import type { ReactNode } from 'react';
import { valueAt, type ChangedMeanwhile } from '#components/conflict/conflict-state.ts';
import { ConflictView } from '#components/conflict/ConflictView.tsx';
import { planConflictWords } from './plan-words.ts';
import type { PlanEdit } from './use-plan-edit.ts';

/** What another window did to the plan of this step, and what is to be decided. */
export function PlanConflict({
  edit,
  state,
  values,
  renderEditor = () => undefined,
}: {
  edit: PlanEdit;
  state: ChangedMeanwhile<PublishPlan>;
  /** The plan as the fields hold it. */
  values: PublishPlan;
  renderEditor?: ((path: readonly string[]) => ReactNode) | undefined;
}) {
  return (
    <ConflictView
      state={state}
      words={planConflictWords([values, state.theirs])}
      onDecide={(id, decision) => {
        edit.decide(values, id, decision);
      }}
      valueOf={(conflict: Conflict) => valueAt(values, conflict)}
      renderEditor={renderEditor}
      stoppedSaves={edit.stoppedSaves}
    />
  );
}
