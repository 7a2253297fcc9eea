import { useEffect, type RefObject } from 'react';

/**
 * Focuses a field after mounting. Needed in dialogs that open over another one: they focus themselves after
 * their fields have mounted, so `autoFocus` is too early.
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
