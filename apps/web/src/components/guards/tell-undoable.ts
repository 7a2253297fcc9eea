import { toasts } from '@gatehouse/ui/toast';
import { isApiError } from '#lib/api-error.ts';
import { failureTitle, wordsOf } from '#lib/error-words.ts';

/** Says that something was done, with an Undo that says what became of it. */
export function tellUndoable({
  done,
  undo,
  undone,
}: {
  /** `v1.2.3 pinned` */
  readonly done: string;
  /** Takes it back. */
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

/** Says that something was not done, and why. @param what `Couldn't undo` */
export function tellFailure(error: unknown, what: string): void {
  // Who closes the question for the password knows that nothing was done.
  if (isApiError(error, 'confirmation-required')) return;
  const { title, detail, requestId } = wordsOf(error);
  toasts.danger({
    title: `${failureTitle(error, what)}: ${title}`,
    detail,
    ...(requestId !== undefined && { requestId }),
  });
}
