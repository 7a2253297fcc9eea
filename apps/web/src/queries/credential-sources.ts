/** The access controller's credential stores and credentials. Secrets can be written, not read. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import type { TokenStatus } from '@gatehouse/api-types/console/vault-store';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { globalScope } from './global-scope.ts';
import { recordCalls } from './records.ts';

export const credentialStores = recordCalls(at.credentialStores, [
  'credentials',
  'credential-libraries',
  'credential-choices',
  'targets-using',
]);
export const credentials = recordCalls(at.credentials, ['credential-choices', 'targets-using']);

const troubled: readonly TokenStatus[] = ['renewing', 'revoked', 'expired'];

/** Stores whose token needs attention: it ended, or couldn't be renewed. */
export const storesInTroubleQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'access', 'credential-stores', 'in-trouble'],
    queryFn: async ({ signal }) => {
      const page = await call(at.credentialStores.list, {
        params: { environment },
        query: {
          scope_id: globalScope,
          recursive: true,
          page_size: 100,
          filter: troubled.map((status) => `"/item/attributes/token_status" == "${status}"`).join(' or '),
        },
        signal,
      });
      return page.items;
    },
    staleTime: 10_000,
  });

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
