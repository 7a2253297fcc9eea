import { Button } from '@gatehouse/ui/button';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError, isApiError } from '#lib/api-error.ts';
import { isMissingPart } from '#lib/missing-chunk.ts';
import { Failure } from './Failure.tsx';

/** Replaces a page that failed for any reason. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  useEffect(() => {
    resetQueries();
  }, [resetQueries]);
  useEffect(() => {
    if (!isMissingPart(error)) return;
    const fetchAgain = (): void => void router.invalidate();
    window.addEventListener('online', fetchAgain);
    return () => {
      window.removeEventListener('online', fetchAgain);
    };
  }, [error, router]);
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  if (!isApiError(error) && import.meta.env.DEV) console.error(error);
  // Reloading without a network would lose the page.
  const failure = isMissingPart(error) && !navigator.onLine ? new ApiError('offline') : error;
  return (
    <Failure
      error={failure}
      onRetry={retry}
      action={
        isApiError(failure) ? undefined : (
          <Button
            onPress={() => {
              window.location.reload();
            }}
          >
            Reload
          </Button>
        )
      }
    />
  );
}
