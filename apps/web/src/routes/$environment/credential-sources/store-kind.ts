/** The forms of credential stores. */
import {
  createCredentialStore,
  credentialStore,
  credentialStoreFields,
  credentialStorePolicy,
  fieldsOfCredentialStore,
  type CredentialStore,
  type CredentialStoreFields,
} from '@gatehouse/api-types/console/credential-sources';
import { record, scalar } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import type { Choice, FieldSpec, RecordFormSpec } from '../../../components/form/record-form.ts';
import type { CodeNames } from '../../../components/record/record-as-code.ts';
import type { RecordKind } from '../../../components/record/record-kind.ts';
import type { NewCredentialStore } from '../../../queries/credential-sources.ts';
import { shownStores } from './kinds.ts';

function identity<Values extends CredentialStoreFields>(
  more: readonly FieldSpec<Values>[],
  paths: { name: FieldSpec<Values>['path']; description: FieldSpec<Values>['path'] },
): RecordFormSpec<Values>['sections'] {
  return [
    {
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
    },
  ];
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
  sections: identity<CredentialStoreFields>([], { name: 'name', description: 'description' }),
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
  anewOf: (fields, { scope_id }) => ({ ...fields, scope_id }),
  codeOf: ({ scope_id }) => ({ names: storeNames, place: { scope_id } }),
};

/** The form of a new store, with the project that will hold it. */
export function newStoreForm(projects: readonly Choice[]): RecordFormSpec<NewCredentialStore> {
  return {
    noun: 'credential store',
    schema: z.strictObject({
      ...credentialStoreFields.shape,
      scope_id: createCredentialStore.body.shape.scope_id,
    }),
    policy: record({ ...credentialStorePolicy.fields, scope_id: scalar }),
    sections: identity<NewCredentialStore>(
      [
        {
          path: 'scope_id',
          label: 'Project',
          input: { kind: 'search', options: projects, emptyText: 'No project of that name.' },
          isRequired: true,
          description: 'Targets of this project can use its credentials. It cannot be moved later.',
          show: (value) => projects.find((project) => project.value === value)?.label ?? String(value),
        },
      ],
      { name: 'name', description: 'description' },
    ),
  };
}
