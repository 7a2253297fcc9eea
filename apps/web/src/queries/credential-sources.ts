/** The access controller's credential stores and credentials. Secrets can be written, not read. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { recordCalls } from './records.ts';

export const credentialStores = recordCalls(at.credentialStores, [
  'credentials',
  'credential-libraries',
  'credential-choices',
  'targets-using',
]);
export const credentials = recordCalls(at.credentials, ['credential-choices', 'targets-using']);

/** Credentials and libraries of all stores in a project that match a text. The server searches. */
export const credentialChoicesQuery = (environment: string, scope: string, search: string) =>
  queryOptions({
    queryKey: [environment, 'access', 'credential-choices', scope, search],
    queryFn: ({ signal }) =>
      call(at.credentialSources.search, {
        params: { environment },
        query: { scope_id: scope, limit: 50, ...(search !== '' && { search }) },
        signal,
      }),
    staleTime: 10_000,
  });
