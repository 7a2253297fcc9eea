import { deepEqual } from '@gatehouse/record-merge/equal';
import { lazy } from '@gatehouse/ui/lazy';
import { useBlocker } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';

const loadDialog = () => import('@gatehouse/ui/confirm-dialog');
const ConfirmDialog = lazy(async () => ({ default: (await loadDialog()).ConfirmDialog }));

export interface DirtyGuardProps {
  /** Asked at the moment of leaving, whatever leads away: a link, back, reload, closing the tab. */
  wouldLose: () => boolean;
  count: number;
  /** Another step of the same page leaves it too, which is a change of search parameters alone. */
  coversSearch?: boolean;
}

/** Asks before changes are lost. A change of search parameters alone leaves nothing, unless it is said to. */
export function DirtyGuard({ wouldLose, count, coversSearch = false }: DirtyGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      (current.pathname !== next.pathname || (coversSearch && !deepEqual(current.search, next.search))) &&
      wouldLose(),
    enableBeforeUnload: wouldLose,
    withResolver: true,
  });
  const hasChanges = count > 0;
  useEffect(() => {
    // There is something to ask about from now on: the question is fetched before it is needed.
    if (hasChanges) loadDialog().catch(() => undefined);
  }, [hasChanges]);
  const changes = count === 1 ? '1 change' : `${String(count)} changes`;
  if (blocker.status !== 'blocked') return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog
        isOpen
        onOpenChange={(isOpen) => {
          if (!isOpen) blocker.reset();
        }}
        title={`Discard ${changes}?`}
        confirmLabel={`Discard ${changes}`}
        cancelLabel="Keep editing"
        onConfirm={blocker.proceed}
      >
        {count === 1 ? "It isn't saved yet." : "They aren't saved yet."}
      </ConfirmDialog>
    </Suspense>
  );
}
