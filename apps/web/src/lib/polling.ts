import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

export interface Pollable<Data> {
  readonly queryKey: readonly unknown[];
  /** Asks once; `poll` says that the page asks by itself. */
  readonly fetch: (context: { signal: AbortSignal; poll: boolean }) => Promise<Data>;
}

/**
 * Asks again every `seconds` while the page is visible, without keeping the session alive. A failure is left to the
 * next turn: what is on the screen stays, and its age is shown.
 */
export function usePolling<Data>(pollable: Pollable<Data>, seconds: number, isEnabled = true): void {
  const queryClient = useQueryClient();
  const key = JSON.stringify(pollable.queryKey);
  useEffect(() => {
    if (!isEnabled) return;
    const controller = new AbortController();
    const timer = window.setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      pollable.fetch({ signal: controller.signal, poll: true }).then(
        (data) => {
          if (!controller.signal.aborted) queryClient.setQueryData(pollable.queryKey, data);
        },
        () => {
          // Said in the comment above: a poll that fails is no news yet.
        },
      );
    }, seconds * 1000);
    return () => {
      window.clearInterval(timer);
      controller.abort();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the pollable, which is another one at each render
  }, [key, seconds, isEnabled, queryClient]);
}
