import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import type { ReactNode } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { Failure } from '../errors/Failure.tsx';

export interface ListFailureProps {
  error: unknown;
  /** How many rows are shown all the same. */
  loaded: number;
  onRetry: () => void;
  /** What to do instead of trying again, where nothing is shown. */
  action?: ReactNode;
  /** For a list that came in part: `Loading stopped after 12 targets`. */
  title?: string;
  retryLabel?: string;
}

/** Why a list is not there, not whole or not up to date, and what to do about it. */
export function ListFailure({
  error,
  loaded,
  onRetry,
  action,
  title = "The list couldn't be refreshed and may be out of date",
  retryLabel = 'Retry',
}: ListFailureProps) {
  // Some failures are corrected in their place, and need it.
  if (loaded === 0 || isApiError(error, 'not-connected', 'rate-limited'))
    return <Failure error={error} onRetry={onRetry} action={action} />;
  return (
    <Banner
      tone="warn"
      title={title}
      actions={
        <Button size={28} onPress={onRetry}>
          {retryLabel}
        </Button>
      }
    >
      {wordsOf(error).detail}
    </Banner>
  );
}
