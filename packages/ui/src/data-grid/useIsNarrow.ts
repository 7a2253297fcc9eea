import { useSyncExternalStore } from 'react';

/** Below the breakpoint `narrow`. */
const query = '(width < 640px)';

function subscribe(onChange: () => void): () => void {
  const list = matchMedia(query);
  list.addEventListener('change', onChange);
  return () => {
    list.removeEventListener('change', onChange);
  };
}
const never = () => () => undefined;

/** Whether the window is narrow. @param isAsked without it nothing is watched, and the answer is no */
export function useIsNarrow(isAsked: boolean): boolean {
  return useSyncExternalStore(isAsked ? subscribe : never, () => isAsked && matchMedia(query).matches);
}
