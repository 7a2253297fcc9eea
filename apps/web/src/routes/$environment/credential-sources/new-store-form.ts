/** The form of a new credential store, whose fields depend on its type. */
import { newCredentialStore } from '@gatehouse/api-types/console/credential-sources';
import { vaultStoreFields, vaultStorePolicy } from '@gatehouse/api-types/console/vault-store';
import { record, scalar } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import type { Choice, RecordFormSpec } from '#components/form/record-form.ts';
import { descriptionField, nameField, projectField } from '#components/record/label-fields.ts';
import { vaultSections } from './vault-store-kind.ts';

const types = [
  { value: 'static', label: 'Static', description: 'Credentials entered by hand' },
  { value: 'vault', label: 'Vault', description: 'Credentials issued by a secrets server' },
] as const;
type StoreType = (typeof types)[number]['value'];

const text = z.string();
const entered = z.object({
  address: text,
  namespace: text,
  token: text,
  ca_cert: text,
  tls_server_name: text,
  tls_skip_verify: z.boolean(),
  client_certificate: text,
  client_certificate_key: text,
});

export interface NewStoreValues {
  name: string;
  description: string;
  scope_id: string;
  type: StoreType;
  attributes: z.output<typeof entered>;
}

export function blankStore(scope: string): NewStoreValues {
  return {
    name: '',
    description: '',
    scope_id: scope,
    type: 'static',
    attributes: {
      address: '',
      namespace: '',
      token: '',
      ca_cert: '',
      tls_server_name: '',
      tls_skip_verify: false,
      client_certificate: '',
      client_certificate_key: '',
    },
  };
}

/** The body to create it, with only its type's attributes. */
export function newStoreBody({ attributes, ...fields }: NewStoreValues) {
  return fields.type === 'vault' ? { ...fields, attributes } : fields;
}

export function newStoreForm(
  projects: readonly Choice[],
  { type }: Pick<NewStoreValues, 'type'>,
): RecordFormSpec<NewStoreValues> {
  return {
    noun: 'credential store',
    // Validates with the contract's schema for the type, whose paths match this form's.
    schema: z
      .strictObject({
        name: vaultStoreFields.shape.name,
        description: vaultStoreFields.shape.description,
        scope_id: text,
        type: z.enum(['static', 'vault']),
        attributes: entered,
      })
      .check(
        z.superRefine((values, context) => {
          const { error } = newCredentialStore.safeParse(newStoreBody({ ...values, type }));
          for (const { path, message } of error?.issues ?? []) {
            context.addIssue({ code: 'custom', path: [...path], message });
          }
        }),
      ),
    policy: record({ ...vaultStorePolicy.fields, scope_id: scalar, type: scalar }),
    sections: [
      {
        title: 'Identity',
        fields: [
          nameField('project'),
          projectField(
            projects,
            "Targets in this project can use the store's credentials. The store can't be moved later.",
          ),
          {
            path: 'type',
            label: 'Type',
            input: { kind: 'choice', options: types },
            isRequired: true,
            description: "The type can't be changed later.",
          },
          descriptionField,
        ],
      },
      ...(type === 'vault' ? vaultSections<NewStoreValues>() : []),
    ],
  };
}
