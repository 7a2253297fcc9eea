import { useEffect, useEffectEvent } from 'react';
import { currentInterruption, watchInterruptions } from './interruptions.ts';

/**
 * Calls `forget` when nobody looks at the page any more, and when the session ends: what was revealed is shown and kept
 * no longer. Leaving the page forgets it anyway.
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
