import type { DataGridProps } from '@gatehouse/ui/data-grid';

/** The parts of a query that a list needs. */
export interface ListQuery {
  readonly data: unknown;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly isFetchingNextPage?: boolean;
  readonly refetch: () => unknown;
}

/**
 * The loading state of a list.
 * @param isPart whether a query that loads several pages has some and expects more
 */
export function statusOf(query: ListQuery, isPart = false): DataGridProps<object>['status'] {
  if (query.isError) return 'failed';
  if (query.isPending) return 'loading';
  return query.isFetchingNextPage === true || (isPart && query.isFetching) ? 'loading-more' : 'ready';
}
