import { useSyncExternalStore } from 'react';

/** Below the breakpoint `narrow`. */
const narrow = '(width < 640px)';

/** Whether the window is narrow; false where that makes no difference. */
export function useIsNarrow(isAsked: boolean): boolean {
  return useSyncExternalStore(
    (listener) => {
      if (!isAsked) return () => undefined;
      const query = matchMedia(narrow);
      query.addEventListener('change', listener);
      return () => {
        query.removeEventListener('change', listener);
      };
    },
    () => isAsked && matchMedia(narrow).matches,
  );
}
