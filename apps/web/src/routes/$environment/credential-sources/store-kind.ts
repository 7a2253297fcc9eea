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
import type { FieldSpec, FormSection, RecordFormSpec } from '#components/form/record-form.ts';
import { editAsCode, type CodeNames } from '#components/record/record-as-code.ts';
import type { RecordKind } from '#components/record/record-kind.ts';
import { shownStores } from './kinds.ts';

/** The name and description of a store, with what is chosen between them. */
export function identitySection<Values extends CredentialStoreFields>(
  more: readonly FieldSpec<Values>[],
  paths: { name: FieldSpec<Values>['path']; description: FieldSpec<Values>['path'] },
): FormSection<Values> {
  return {
    title: 'Identity',
    fields: [
      {
        path: paths.name,
        label: 'Name',
        input: { kind: 'text' },
        isRequired: true,
        description: 'Unique in its project.',
      },
      ...more,
      { path: paths.description, label: 'Description', input: { kind: 'multiline', rows: 2 } },
    ],
  };
}

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
  sections: [identitySection<CredentialStoreFields>([], { name: 'name', description: 'description' })],
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
