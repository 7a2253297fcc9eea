import type { PublishRun } from '@gatehouse/api-types/console/publish';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { failureTitle, wordsOf } from '#lib/error-words.ts';
import { forgetImage } from '#lib/uploads/picked-files.ts';
import { stopSending } from '#lib/uploads/sending.ts';
import { usePublishWrites } from '#queries/publish.ts';
import { useStep } from '../use-step.ts';

/** Asks before abandoning a publishing run with its uploads. */
export function AbandonQuestion({ run, onClose }: { run: PublishRun; onClose: () => void }) {
  const writes = usePublishWrites(run.environment);
  const step = useStep();
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title="Abandon this publishing run?"
      confirmLabel="Abandon the run"
      cancelLabel="Keep it"
      isPending={step.isPending}
      {...(step.failure !== undefined && {
        errorTitle: failureTitle(step.failure),
        error: wordsOf(step.failure).detail,
      })}
      onConfirm={() =>
        void step.run(async () => {
          await writes.abandon(run.id);
          for (const { id, upload } of run.providers) {
            forgetImage(id);
            if (upload !== null) stopSending(upload.id);
          }
          onClose();
        })
      }
    >
      Uploads are discarded and deliveries stopped. Nothing in the registry is deleted. This can't be undone.
    </ConfirmDialog>
  );
}
