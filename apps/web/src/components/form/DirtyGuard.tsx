import { deepEqual } from '@gatehouse/record-merge/equal';
import { lazy } from '@gatehouse/ui/lazy';
import { useBlocker } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';

const loadDialog = () => import('@gatehouse/ui/confirm-dialog');
const ConfirmDialog = lazy(async () => ({ default: (await loadDialog()).ConfirmDialog }));

export interface DirtyGuardProps {
  /** Called when the page is about to be left: by a link, Back, a reload, or closing the tab. */
  wouldLose: () => boolean;
  /** How many changes; true for some, if they aren't counted. */
  count: number | boolean;
  /** Whether a change of only the search parameters, such as another step, also leaves the form. */
  coversSearch?: boolean;
}

/**
 * Asks before unsaved changes are lost. Changing only search parameters doesn't ask, unless `coversSearch` is
 * set.
 */
export function DirtyGuard({ wouldLose, count, coversSearch = false }: DirtyGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      (current.pathname !== next.pathname || (coversSearch && !deepEqual(current.search, next.search))) &&
      wouldLose(),
    enableBeforeUnload: wouldLose,
    withResolver: true,
  });
  const hasChanges = Number(count) > 0;
  useEffect(() => {
    // Fetches the dialog before it is needed.
    if (hasChanges) loadDialog().catch(() => undefined);
  }, [hasChanges]);
  const changes =
    typeof count === 'boolean' ? 'your changes' : count === 1 ? '1 change' : `${String(count)} changes`;
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
