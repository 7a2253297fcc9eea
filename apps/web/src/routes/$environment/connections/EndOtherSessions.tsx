import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { failureTitle, wordsOf } from '#lib/error-words.ts';
import { useEndOtherSessions } from '#queries/session.ts';

/** Asks before ending all your other sessions. */
export function EndOtherSessions({ others, onClose }: { others: number; onClose: () => void }) {
  const endOthers = useEndOtherSessions();
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={others === 1 ? 'End the other session?' : `End ${String(others)} other sessions?`}
      confirmLabel={others === 1 ? 'End 1 session' : `End ${String(others)} sessions`}
      isPending={endOthers.isPending}
      errorTitle={failureTitle(endOthers.error)}
      error={endOthers.error === null ? undefined : wordsOf(endOthers.error).detail}
      onConfirm={() => {
        endOthers.mutate(undefined, {
          onSuccess: ({ ended }) => {
            onClose();
            toasts.ok({
              title: ended === 1 ? '1 session was ended' : `${String(ended)} sessions were ended`,
            });
          },
        });
      }}
    >
      They are signed out immediately. Unsaved changes there are lost unless you sign in again as the same
      user.
    </ConfirmDialog>
  );
}
