import { Button } from '@gatehouse/ui/button';
import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Counts down the wait that a service requested, then retries once. If the service is still busy, its answer
 * names the next wait.
 */
export function RetryLater({
  seconds,
  onRetry,
}: {
  /** The service's `Retry-After`. */
  seconds: number;
  onRetry: () => void;
}) {
  const [left, setLeft] = useState(Math.ceil(seconds));
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    const endsAt = performance.now() + seconds * 1000;
    const timer = window.setInterval(() => {
      const rest = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000));
      setLeft(rest);
      if (rest > 0) return;
      window.clearInterval(timer);
      retry();
    }, 250);
    return () => {
      window.clearInterval(timer);
    };
  }, [seconds]);
  const isWaiting = left > 0;
  return (
    <Button
      disabledReason={isWaiting ? 'The request is retried automatically when the wait is over.' : undefined}
      onPress={onRetry}
    >
      {isWaiting ? `Retrying in ${left.toLocaleString('en')} s` : 'Retry'}
    </Button>
  );
}
