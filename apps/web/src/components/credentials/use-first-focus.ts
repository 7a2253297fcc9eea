import { useEffect, type RefObject } from 'react';

/**
 * Puts focus into a field once it is there. A dialog that opens over another one takes focus for itself after its
 * fields were mounted: `autoFocus` comes too early for it.
 */
export function useFirstFocus(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      input.current?.focus();
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [input]);
}
