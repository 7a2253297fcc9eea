import { lazy } from '@gatehouse/ui/lazy';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import type { UseQueryResult } from '@tanstack/react-query';
import { Suspense, type ReactNode } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { Failure } from '../errors/Failure.tsx';

const ForgetFavorite = lazy(async () => ({ default: (await import('./ForgetFavorite.tsx')).ForgetFavorite }));

/** Replaces a page's content while it is loading, and after a failure. */
export function Waiting({
  query,
  label,
  action,
}: {
  query: Pick<UseQueryResult, 'isError' | 'error' | 'refetch'> | undefined;
  /** `Loading the host set` */
  label: string;
  /** Where to go if it can't be loaded. */
  action?: ReactNode;
}) {
  if (query?.isError === true) {
    return (
      <Failure
        error={query.error}
        onRetry={() => void query.refetch()}
        action={
          isApiError(query.error, 'not-found') ? (
            <>
              {action}
              <Suspense fallback={null}>
                <ForgetFavorite />
              </Suspense>
            </>
          ) : (
            action
          )
        }
      />
    );
  }
  return (
    <div className="mx-auto w-full max-w-300 p-6">
      <SkeletonList label={label} lines={8} />
    </div>
  );
}
