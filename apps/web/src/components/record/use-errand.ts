import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/** A dialog that a page opens at once, for the command palette. */
export type Errand = 'delete' | 'authorize' | 'lock-out' | 'new-engine';

declare module '@tanstack/react-router' {
  interface HistoryState {
    errand?: Errand | undefined;
  }
}

/**
 * Runs the page's errand once.
 * @param run opens the dialog; undefined while the record is loading, and if the action isn't allowed
 */
export function useErrand(errand: Errand, run: (() => void) | undefined): void {
  const navigate = useNavigate();
  const isAsked = useRouterState({
    select: ({ location }) => location.state.errand === errand,
  });
  const isReady = run !== undefined;
  const begin = useEffectEvent(() => {
    // A reload doesn't open the dialog again.
    void navigate({ to: '.', search: true, replace: true, state: {} });
    run?.();
  });
  useEffect(() => {
    if (isAsked && isReady) begin();
  }, [isAsked, isReady]);
}
