import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { ErrorState } from '@gatehouse/ui/error-state';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { serviceLabels, wordsOf } from '#lib/error-words.ts';
import { Failure } from '../errors/Failure.tsx';

export interface ListFailureProps {
  error: unknown;
  /** The number of rows that are shown nevertheless. */
  loaded: number;
  onRetry: () => void;
  /** An alternative to retrying, if no rows are shown. */
  action?: ReactNode;
  /** For a list that was loaded in part: `Loading stopped after 12 targets`. */
  title?: string;
  retryLabel?: string;
}

/** Why a list is missing, incomplete or outdated, and what to do about it. */
export function ListFailure({
  error,
  loaded,
  onRetry,
  action,
  title = "The list couldn't be refreshed and may be out of date",
  retryLabel = 'Retry',
}: ListFailureProps) {
  // These failures come with controls that resolve them, which need space.
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

/** Replaces a list that the user isn't allowed to see: what to ask for, and whom. */
export function ListRefused({
  error,
  many,
  onRetry,
}: Pick<ListFailureProps, 'error' | 'onRetry'> & {
  /** `targets` */
  many: string;
}) {
  const { detail, requestId } = wordsOf(error);
  const service = isApiError(error) ? error.problem?.service : undefined;
  const where = service === undefined ? 'service' : serviceLabels[service].toLowerCase();
  return (
    <ErrorState
      icon={Lock}
      title={`You can't see the ${many}`}
      why={detail}
      mend={`Ask an administrator of the ${where} to let you list ${many}.`}
      requestId={requestId}
      action={<Button onPress={onRetry}>Retry</Button>}
    />
  );
}
