/** The forms of credential stores. */
import {
  credentialStore,
  credentialStoreFields,
  credentialStorePolicy,
  fieldsOfCredentialStore,
  type CredentialStore,
  type CredentialStoreFields,
  type NewCredentialStore,
} from '@gatehouse/api-types/console/credential-sources';
import type { RecordFormSpec } from '#components/form/record-form.ts';
import { descriptionField, nameField } from '#components/record/label-fields.ts';
import { editAsCode, type CodeNames } from '#components/record/record-as-code.ts';
import type { RecordKind } from '#components/record/record-kind.ts';
import { shownStores } from './kinds.ts';

export const storeNames: CodeNames = {
  collection: 'credential-stores',
  command: 'credential-stores',
  type: 'static',
  resource: 'boundary_credential_store_static',
};

const storeForm: RecordFormSpec<CredentialStoreFields> = {
  noun: 'credential store',
  schema: credentialStoreFields,
  policy: credentialStorePolicy,
  sections: [{ title: 'Identity', fields: [nameField('project'), descriptionField] }],
};

export const storeKind: RecordKind<
  CredentialStore,
  CredentialStoreFields,
  NewCredentialStore,
  Partial<CredentialStoreFields>
> = {
  ...shownStores,
  schema: credentialStore,
  fieldsOf: fieldsOfCredentialStore,
  formOf: () => storeForm,
  bodyOf: (changed) => changed,
  anewOf: (fields, { scope_id }) => ({ ...fields, type: 'static', scope_id }),
  code: editAsCode(({ scope_id }) => ({ names: storeNames, place: { scope_id } })),
};
