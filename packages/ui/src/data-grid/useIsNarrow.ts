import { useSyncExternalStore } from 'react';

/** The widths below the breakpoint `narrow`. */
const query = '(width < 640px)';

function subscribe(onChange: () => void): () => void {
  const list = matchMedia(query);
  list.addEventListener('change', onChange);
  return () => {
    list.removeEventListener('change', onChange);
  };
}
const never = () => () => undefined;

/** Whether the window is narrow. @param isAsked if false, returns false without watching the window */
export function useIsNarrow(isAsked: boolean): boolean {
  return useSyncExternalStore(isAsked ? subscribe : never, () => isAsked && matchMedia(query).matches);
}
