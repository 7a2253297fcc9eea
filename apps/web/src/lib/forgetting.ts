import { useEffect, useEffectEvent } from 'react';
import { currentInterruption, watchInterruptions } from './interruptions.ts';

/**
 * Calls `forget` when the page is hidden and when the session ends, so that revealed values are dropped.
 * Leaving the page drops them anyway.
 */
export function useForgetting(forget: () => void): void {
  const run = useEffectEvent(forget);
  useEffect(() => {
    const onLeaving = (): void => {
      run();
    };
    const onHidden = (): void => {
      if (document.visibilityState === 'hidden') run();
    };
    const onInterruption = (): void => {
      if (currentInterruption()?.request.kind === 'signed-out') run();
    };
    const unwatch = watchInterruptions(onInterruption);
    document.addEventListener('visibilitychange', onHidden);
    window.addEventListener('pagehide', onLeaving);
    return () => {
      unwatch();
      document.removeEventListener('visibilitychange', onHidden);
      window.removeEventListener('pagehide', onLeaving);
    };
  }, []);
}
