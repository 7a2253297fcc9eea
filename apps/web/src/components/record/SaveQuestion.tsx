import type { Harm } from '@gatehouse/api-types/console/harm';
import { ConfirmDialog, type Impact } from '@gatehouse/ui/confirm-dialog';
import { useLadder } from '../guards/use-ladder.ts';

/** Harm of a save, to be confirmed first. */
export interface SaveGuard {
  readonly harm: Harm | undefined;
  readonly title: string;
  readonly confirmLabel: string;
  /** The text to type, if the harm requires it. */
  readonly typedName: string;
  readonly impacts: readonly Impact[];
}

/** Confirms the changes of a form. The form keeps them in either case. */
export function SaveQuestion({
  guard: { harm, typedName, ...dialog },
  onAnswer,
}: {
  guard: SaveGuard;
  onAnswer: (isConfirmed: boolean) => void;
}) {
  const { asks } = useLadder(harm, typedName);
  return (
    <ConfirmDialog
      {...dialog}
      {...asks}
      isOpen
      onOpenChange={() => {
        onAnswer(false);
      }}
      onConfirm={() => {
        onAnswer(true);
      }}
    />
  );
}
