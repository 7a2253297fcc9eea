import { Button } from '@gatehouse/ui/button';
import { ErrorState } from '@gatehouse/ui/error-state';
import { lazy } from '@gatehouse/ui/lazy';
import { Lock, SearchX, Unplug } from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';

const RetryLater = lazy(async () => ({ default: (await import('./RetryLater.tsx')).RetryLater }));
const ConnectHere = lazy(async () => ({ default: (await import('./ConnectHere.tsx')).ConnectHere }));

export interface FailureProps {
  error: unknown;
  onRetry: () => void;
  /** An alternative to retrying, such as a link to the list. */
  action?: ReactNode;
}

/** Replaces content that couldn't be loaded: why, what to do, and the control to do it. */
export function Failure({ error, onRetry, action }: FailureProps) {
  const { title, detail, mend, requestId, canRetry } = wordsOf(error);
  const wait = isApiError(error, 'rate-limited') ? error.problem?.retryAfterSeconds : undefined;
  const problem = isApiError(error, 'not-connected', 'no-access') ? error.problem : undefined;
  if (problem?.environment !== undefined && problem.service !== undefined) {
    return (
      <Suspense fallback={null}>
        <ConnectHere
          environment={problem.environment}
          service={problem.service}
          title={title}
          detail={detail}
          code={problem.code}
        />
      </Suspense>
    );
  }
  const icon = isApiError(error, 'forbidden')
    ? Lock
    : isApiError(error, 'not-found')
      ? SearchX
      : isApiError(error, 'unreachable', 'offline', 'service-unavailable', 'service-timeout')
        ? Unplug
        : undefined;
  return (
    <ErrorState
      title={title}
      why={detail}
      {...(mend !== undefined && { mend })}
      {...(icon !== undefined && { icon })}
      requestId={requestId}
      action={
        <>
          {wait === undefined ? (
            (canRetry || action === undefined) && <Button onPress={onRetry}>Retry</Button>
          ) : (
            <Suspense fallback={null}>
              <RetryLater key={requestId} seconds={wait} onRetry={onRetry} />
            </Suspense>
          )}
          {action}
        </>
      }
    />
  );
}
