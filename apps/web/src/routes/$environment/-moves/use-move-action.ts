import { toasts } from '@gatehouse/ui/toast';
import { useState } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';

export type MoveAction = ReturnType<typeof useMoveAction>;

/** What a press on this page does to its move. */
export function useMoveAction() {
  const [pending, setPending] = useState<string>();
  return {
    /** The name of what is being done. */
    pending,
    /** Does one thing at a time; what fails is told in a notification. */
    run: (name: string, work: () => Promise<unknown>): void => {
      if (pending !== undefined) return;
      setPending(name);
      work()
        .catch((error: unknown) => {
          // Who closes the question for the password knows that nothing was done.
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
