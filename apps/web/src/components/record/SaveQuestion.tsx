import type { Harm } from '@gatehouse/api-types/console/harm';
import { ConfirmDialog, type Impact } from '@gatehouse/ui/confirm-dialog';
import { useLadder } from '../guards/use-ladder.ts';

/** What a save can do that is asked about before it. */
export interface SaveGuard {
  readonly harm: Harm | undefined;
  readonly title: string;
  readonly confirmLabel: string;
  /** What is typed where the harm asks for it. */
  readonly typedName: string;
  readonly impacts: readonly Impact[];
}

/** Asks before the changes of a form are saved. The form keeps them either way. */
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
