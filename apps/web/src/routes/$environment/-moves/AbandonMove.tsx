import type { Move } from '@gatehouse/api-types/console/moves';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { useState } from 'react';
import { kindWords } from '#components/moves/move-kinds.ts';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';

/** Asks before a move is abandoned. */
export function AbandonMove({
  move: { kind, pieces },
  abandon,
  onClose,
}: {
  move: Pick<Move, 'kind' | 'pieces'>;
  abandon: () => Promise<unknown>;
  onClose: () => void;
}) {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const { many, piece: one, pieces: noun } = kindWords[kind];
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={() => {
        if (!isPending) onClose();
      }}
      title="Abandon this move?"
      confirmLabel="Abandon the move"
      cancelLabel="Keep it"
      isPending={isPending}
      {...(failure !== undefined && { error: wordsOf(failure).detail })}
      onConfirm={() => {
        setPending(true);
        abandon().then(onClose, (error: unknown) => {
          setFailure(error);
          setPending(false);
        });
      }}
    >
      {pieces.copied > 0
        ? `${counted(pieces.copied, one, noun)} already copied ${pieces.copied === 1 ? 'stays' : 'stay'} here. Copies in progress are discarded.`
        : 'Nothing has been copied yet.'}{' '}
      This can't be undone. To import the missing {many}, start another move.
    </ConfirmDialog>
  );
}
