import { queryClient } from '#lib/query-client.ts';
import { scopesQuery } from './access.ts';
import { globalScope } from './global-scope.ts';
import { recordListQuery, type RecordCalls, type StoredRecord } from './records.ts';

/** Prefetches the scopes, and the records of all of them, before their page is loaded. */
export function prefetchPlaced<Item extends StoredRecord>(
  calls: RecordCalls<Item, never, never>,
  environment: string,
): void {
  void queryClient.prefetchQuery(scopesQuery(environment));
  void queryClient.prefetchQuery(recordListQuery(calls, environment, globalScope));
}
