import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/** What a record's page asks as soon as it is open: the command palette leads there with it. */
export type Errand = 'delete' | 'authorize';

declare module '@tanstack/react-router' {
  interface HistoryState {
    errand?: Errand | undefined;
  }
}

/**
 * Runs the errand that the page was opened with, once.
 * @param run opens the dialog; undefined while the record loads, and if the action isn't allowed
 */
export function useErrand(errand: Errand, run: (() => void) | undefined): void {
  const navigate = useNavigate();
  const isAsked = useRouterState({
    select: ({ location }) => location.state.errand === errand,
  });
  const isReady = run !== undefined;
  const begin = useEffectEvent(() => {
    // A reload doesn't ask again.
    void navigate({ to: '.', search: true, replace: true, state: {} });
    run?.();
  });
  useEffect(() => {
    if (isAsked && isReady) begin();
  }, [isAsked, isReady]);
}
