import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { useBlocker } from '@tanstack/react-router';

export interface DirtyGuardProps {
  /** Asked at the moment of leaving, whatever leads away: a link, back, reload, closing the tab. */
  wouldLose: () => boolean;
  count: number;
}

/** Asks before changes are lost. A change of search parameters alone leaves nothing. */
export function DirtyGuard({ wouldLose, count }: DirtyGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && wouldLose(),
    enableBeforeUnload: wouldLose,
    withResolver: true,
  });
  const changes = count === 1 ? '1 change' : `${String(count)} changes`;
  return (
    <ConfirmDialog
      isOpen={blocker.status === 'blocked'}
      onOpenChange={(isOpen) => {
        if (!isOpen) blocker.reset?.();
      }}
      title={`Discard ${changes}?`}
      confirmLabel={`Discard ${changes}`}
      cancelLabel="Keep editing"
      onConfirm={() => blocker.proceed?.()}
    >
      {count === 1 ? 'It is not saved yet.' : 'They are not saved yet.'}
    </ConfirmDialog>
  );
}
