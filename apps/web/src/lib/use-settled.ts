import { useEffect, useState } from 'react';

/** The text once it hasn't changed for `ms` milliseconds; before that, the previous one. */
export function useSettled(text: string, ms: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => {
      setSettled(text);
    }, ms);
    return () => {
      window.clearTimeout(timer);
    };
  }, [text, ms]);
  return settled;
}
