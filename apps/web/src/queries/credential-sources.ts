/** The access controller's credential stores and credentials. Secrets are sent and never read. */
import {
  createCredential,
  createCredentialStore,
  deleteCredential,
  deleteCredentialStore,
  getCredential,
  getCredentialStore,
  listCredentials,
  listCredentialStores,
  searchCredentialSources,
  updateCredential,
  updateCredentialStore,
  type Credential,
  type CredentialChanges,
  type CredentialStore,
  type CredentialStoreChanges,
  type NewCredential,
  type NewCredentialStore,
} from '@gatehouse/api-types/console/credential-sources';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { globalScope } from './global-scope.ts';
import type { RecordCalls } from './records.ts';

const pageSize = 1000;
const pageOf = (token: string | undefined) => ({
  page_size: pageSize,
  ...(token !== undefined && { page_token: token }),
});

export const credentialStores: RecordCalls<CredentialStore, NewCredentialStore, CredentialStoreChanges> = {
  key: 'credential-stores',
  touches: ['credentials', 'credential-libraries', 'credential-choices', 'targets-using'],
  get: (environment, id, context) => call(getCredentialStore, { params: { environment, id }, ...context }),
  list: (environment, scope, token, context) =>
    call(listCredentialStores, {
      params: { environment },
      query: { scope_id: scope, ...(scope === globalScope && { recursive: true }), ...pageOf(token) },
      ...context,
    }),
  create: (environment, body, decided) =>
    call(createCredentialStore, { params: { environment }, body, ...decided }),
  update: (environment, id, guard, body) =>
    call(updateCredentialStore, { params: { environment, id }, ...guard, body }),
  remove: async (environment, id, revision) => {
    await call(deleteCredentialStore, { params: { environment, id }, revision });
  },
};

export const credentials: RecordCalls<Credential, NewCredential, CredentialChanges> = {
  key: 'credentials',
  touches: ['credential-choices', 'targets-using'],
  get: (environment, id, context) => call(getCredential, { params: { environment, id }, ...context }),
  list: (environment, store, token, context) =>
    call(listCredentials, {
      params: { environment },
      query: { credential_store_id: store, ...pageOf(token) },
      ...context,
    }),
  create: (environment, body, decided) =>
    call(createCredential, { params: { environment }, body, ...decided }),
  update: (environment, id, guard, body) =>
    call(updateCredential, { params: { environment, id }, ...guard, body }),
  remove: async (environment, id, revision) => {
    await call(deleteCredential, { params: { environment, id }, revision });
  },
};

/** Credentials and libraries of every store of a project that match a text; the server searches. */
export const credentialChoicesQuery = (environment: string, scope: string, search: string) =>
  queryOptions({
    queryKey: [environment, 'access', 'credential-choices', scope, search],
    queryFn: ({ signal }) =>
      call(searchCredentialSources, {
        params: { environment },
        query: { scope_id: scope, limit: 50, ...(search !== '' && { search }) },
        signal,
      }),
    staleTime: 10_000,
  });
