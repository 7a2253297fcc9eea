import type { PublishPlan } from '@gatehouse/api-types/console/publish';
import type { Conflict } from '@gatehouse/record-merge';
import type { ReactNode } from 'react';
import { valueAt, type ChangedMeanwhile } from '#components/conflict/conflict-state.ts';
import { ConflictView } from '#components/conflict/ConflictView.tsx';
import { planConflictWords } from './plan-words.ts';
import type { PlanEdit } from './use-plan-edit.ts';

/** Another window's changes to the plan, and the conflicts to resolve. */
export function PlanConflict({
  edit,
  state,
  values,
  renderEditor = () => undefined,
}: {
  edit: PlanEdit;
  state: ChangedMeanwhile<PublishPlan>;
  /** The plan in the form. */
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
