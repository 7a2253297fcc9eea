import type { MoveKind } from '@gatehouse/api-types/console/move-values';
import { Button } from '@gatehouse/ui/button';
import { decidedRecord, valueAt } from '#components/conflict/conflict-state.ts';
import { ConflictView } from '#components/conflict/ConflictView.tsx';
import type { ChoiceConflict } from './choice-conflict.ts';
import { choiceConflictWords } from './choice-words.ts';
import type { ChoiceEdit } from './use-choice.ts';

/** What another window changed in the choice, and the decisions to make. */
export function ChoiceDecision({
  kind,
  conflict,
  edit,
}: {
  kind: MoveKind;
  conflict: ChoiceConflict;
  edit: ChoiceEdit;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <ConflictView
        state={conflict}
        words={choiceConflictWords(kind)}
        onDecide={edit.decide}
        valueOf={(one) => valueAt(decidedRecord(conflict), one)}
        renderEditor={() => undefined}
        stoppedSaves={edit.stoppedSaves}
      />
      <Button variant="primary" isPending={edit.isPending} onPress={edit.save}>
        Save choices
      </Button>
    </div>
  );
}
