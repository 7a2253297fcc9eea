import { SkeletonList } from '@gatehouse/ui/skeleton';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './Failure.tsx';

/** Shows data in a card or drawer once it is loaded; until then that it is loading, or the failure. */
export function Loaded<Data>({
  query,
  label,
  lines = 2,
  isFlush = false,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  /** `Loading the sessions` */
  label: string;
  lines?: number;
  /** Whether the card has no padding. */
  isFlush?: boolean;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <div className={isFlush ? 'px-4' : undefined}>
      <SkeletonList label={label} lines={lines} />
    </div>
  );
}
