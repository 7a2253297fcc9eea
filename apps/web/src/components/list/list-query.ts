import type { DataGridProps } from '@gatehouse/ui/data-grid';

/** What a list needs to know of the query that fills it. */
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
 * How far a list is.
 * @param isPart of a query that brings its pages one after another: there are some, and more to come
 */
export function statusOf(query: ListQuery, isPart = false): DataGridProps<object>['status'] {
  if (query.isError) return 'failed';
  if (query.isPending) return 'loading';
  return query.isFetchingNextPage === true || (isPart && query.isFetching) ? 'loading-more' : 'ready';
}
