import { toasts } from '@gatehouse/ui/toast';
import { isApiError } from '#lib/api-error.ts';
import { failureTitle, wordsOf } from '#lib/error-words.ts';

/** Reports a finished action with an Undo button, and then the outcome of the undo. */
export function tellUndoable({
  done,
  undo,
  undone,
}: {
  /** `v1.2.3 pinned` */
  readonly done: string;
  /** Undoes the action. */
  readonly undo: () => Promise<unknown>;
  readonly undone: string;
}): void {
  toasts.ok({
    title: done,
    action: {
      label: 'Undo',
      onPress: () => {
        undo().then(
          () => {
            toasts.ok({ title: undone });
          },
          (error: unknown) => {
            tellFailure(error, "Couldn't undo");
          },
        );
      },
    },
  });
}

/** Reports that an action failed, and why. @param what `Couldn't undo` */
export function tellFailure(error: unknown, what: string): void {
  // A user who dismisses the password dialog knows that nothing was done.
  if (isApiError(error, 'confirmation-required')) return;
  const { title, detail, requestId } = wordsOf(error);
  toasts.danger({
    title: `${failureTitle(error, what)}: ${title}`,
    detail,
    ...(requestId !== undefined && { requestId }),
  });
}
