import { useCallback, useEffect, useState } from 'react';

/** The remaining whole seconds, 0 when over, and a function that starts the countdown. */
export function useCountdown(): [number, (seconds: number) => void] {
  const [endsAt, setEndsAt] = useState(0);
  const [remaining, setRemaining] = useState(0);
  const start = useCallback((seconds: number) => {
    setEndsAt(seconds > 0 ? performance.now() + seconds * 1000 : 0);
    setRemaining(Math.max(0, Math.ceil(seconds)));
  }, []);
  useEffect(() => {
    if (endsAt === 0) return undefined;
    const timer = window.setInterval(() => {
      const left = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000));
      setRemaining(left);
      if (left === 0) setEndsAt(0);
    }, 250);
    return () => {
      window.clearInterval(timer);
    };
  }, [endsAt]);
  return [remaining, start];
}
