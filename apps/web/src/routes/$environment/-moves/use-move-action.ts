import { toasts } from '@gatehouse/ui/toast';
import { useState } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';

export type MoveAction = ReturnType<typeof useMoveAction>;

/** Runs the page's actions on its move. */
export function useMoveAction() {
  const [pending, setPending] = useState<string>();
  return {
    /** The name of the running action. */
    pending,
    /** Runs one action at a time, and reports failures in a notification. */
    run: (name: string, work: () => Promise<unknown>): void => {
      if (pending !== undefined) return;
      setPending(name);
      work()
        .catch((error: unknown) => {
          // Closing the password question changes nothing, so no error is shown.
          if (isApiError(error, 'confirmation-required')) return;
          const { title, detail, requestId } = wordsOf(error);
          toasts.danger({ title, detail, ...(requestId !== undefined && { requestId }) });
        })
        .finally(() => {
          setPending(undefined);
        });
    },
  };
}
