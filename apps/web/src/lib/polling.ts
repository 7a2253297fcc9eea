import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

export interface Pollable<Data> {
  readonly queryKey: readonly unknown[];
  /** Asks once; `poll` says that the page asks by itself. */
  readonly fetch: (context: { signal: AbortSignal; poll: boolean }) => Promise<Data>;
}

/**
 * Asks again every `seconds` while the page is visible, without keeping the session alive. A failure is left to the
 * next turn: what is on the screen stays, and its age is shown. A turn is skipped while the answer to the last one has
 * not come, or those to a slow server would take all connections of the page.
 */
export function usePolling<Data>(pollable: Pollable<Data>, seconds: number, isEnabled = true): void {
  const queryClient = useQueryClient();
  const key = JSON.stringify(pollable.queryKey);
  useEffect(() => {
    if (!isEnabled) return;
    const controller = new AbortController();
    let isAsking = false;
    const timer = window.setInterval(() => {
      if (isAsking || document.visibilityState !== 'visible') return;
      isAsking = true;
      pollable
        .fetch({ signal: controller.signal, poll: true })
        .then(
          (data) => {
            if (!controller.signal.aborted) queryClient.setQueryData(pollable.queryKey, data);
          },
          () => {
            // Said in the comment above: a poll that fails is no news yet.
          },
        )
        .finally(() => {
          isAsking = false;
        });
    }, seconds * 1000);
    return () => {
      window.clearInterval(timer);
      controller.abort();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the pollable, which is another one at each render
  }, [key, seconds, isEnabled, queryClient]);
}
