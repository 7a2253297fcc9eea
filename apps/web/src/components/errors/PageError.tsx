import { Button } from '@gatehouse/ui/button';
import { ErrorState } from '@gatehouse/ui/error-state';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { Failure } from './Failure.tsx';

/** A page that could not be shown, whatever the reason. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { reset: resetQueries } = useQueryErrorResetBoundary();
  useEffect(() => {
    resetQueries();
  }, [resetQueries]);
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  if (!isApiError(error) && import.meta.env.DEV) console.error(error);
  return isApiError(error) ? (
    <Failure error={error} onRetry={retry} />
  ) : (
    <ErrorState
      title="This page failed"
      why={wordsOf(error).detail}
      mend="Reload it; report it if it stays."
      action={
        <Button
          onPress={() => {
            window.location.reload();
          }}
        >
          Reload
        </Button>
      }
    />
  );
}
