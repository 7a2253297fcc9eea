/** The access controller's credential libraries, which are in stores of type vault. */
import {
  createCredentialLibrary,
  deleteCredentialLibrary,
  getCredentialLibrary,
  listCredentialLibraries,
  updateCredentialLibrary,
  type CredentialLibrary,
  type CredentialLibraryChanges,
  type NewCredentialLibrary,
} from '@gatehouse/api-types/console/credential-libraries';
import { call } from '#lib/api.ts';
import type { RecordCalls } from './records.ts';

const pageSize = 1000;

export const credentialLibraries: RecordCalls<
  CredentialLibrary,
  NewCredentialLibrary,
  CredentialLibraryChanges
> = {
  key: 'credential-libraries',
  touches: ['credential-choices', 'targets-using'],
  get: (environment, id, context) => call(getCredentialLibrary, { params: { environment, id }, ...context }),
  list: (environment, store, token, context) =>
    call(listCredentialLibraries, {
      params: { environment },
      query: {
        credential_store_id: store,
        page_size: pageSize,
        ...(token !== undefined && { page_token: token }),
      },
      ...context,
    }),
  create: (environment, body, decided) =>
    call(createCredentialLibrary, { params: { environment }, body, ...decided }),
  update: (environment, id, guard, body) =>
    call(updateCredentialLibrary, { params: { environment, id }, ...guard, body }),
  remove: async (environment, id, revision) => {
    await call(deleteCredentialLibrary, { params: { environment, id }, revision });
  },
};
