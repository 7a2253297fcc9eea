import { queryClient } from '#lib/query-client.ts';
import { scopesQuery } from './access.ts';
import { globalScope } from './global-scope.ts';
import { recordListQuery, type RecordCalls, type StoredRecord } from './records.ts';

/** Asks for a list of what projects hold before its page is there, and for the projects that may hold another. */
export function prefetchPlaced<Item extends StoredRecord>(
  calls: RecordCalls<Item, never, never>,
  environment: string,
): void {
  void queryClient.prefetchQuery(scopesQuery(environment));
  void queryClient.prefetchQuery(recordListQuery(calls, environment, globalScope));
}
