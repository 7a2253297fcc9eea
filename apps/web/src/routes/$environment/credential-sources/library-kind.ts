/** The forms of credential libraries. */
import {
  credentialLibrary,
  credentialLibraryFields,
  credentialLibraryPolicy,
  fieldsOfCredentialLibrary,
  httpMethods,
  libraryCredentialTypes,
  mappingsOf,
  newCredentialLibrary,
  type CredentialLibrary,
  type CredentialLibraryChanges,
  type CredentialLibraryFields,
  type LibraryCredentialType,
  type NewCredentialLibrary,
} from '@gatehouse/api-types/console/credential-libraries';
import { record, scalar } from '@gatehouse/record-merge/policy';
import type { FieldPath } from 'react-hook-form';
import * as z from 'zod/mini';
import type { FieldSpec, FormSection, RecordFormSpec } from '#components/form/record-form.ts';
import { editAsCode, type CodeNames } from '#components/record/record-as-code.ts';
import type { RecordKind } from '#components/record/record-kind.ts';
import { attributeLabel, typeLabels } from '#components/source/credential-types.ts';
import { shownLibraries } from './kinds.ts';

const methods = [
  { value: 'GET', label: 'GET', description: 'Reads a secret, or requests credentials from an engine' },
  { value: 'POST', label: 'POST', description: 'For engines that need a request body' },
] as const;

/** The values that the form depends on. */
interface Shape {
  readonly type: LibraryCredentialType;
  readonly method: CredentialLibraryFields['attributes']['http_method'];
}

function sections<Values extends CredentialLibraryFields>(
  { type, method }: Shape,
  more: readonly FieldSpec<Values>[],
): readonly FormSection<Values>[] {
  const at = (path: string): FieldPath<Values> => path as FieldPath<Values>;
  return [
    {
      title: 'Identity',
      fields: [
        { path: at('name'), label: 'Name', input: { kind: 'text' }, description: 'Unique in its store.' },
        { path: at('description'), label: 'Description', input: { kind: 'multiline', rows: 2 } },
      ],
    },
    {
      title: 'Request',
      description: 'The request to the secrets server when a session is authorized.',
      fields: [
        {
          path: at('attributes.path'),
          label: 'Path',
          input: { kind: 'text', isMono: true, placeholder: 'secret/data/databases/orders' },
          isRequired: true,
          description:
            'The part after /v1/. In a versioned key-value engine, a secret is at <mount>/data/<path>.',
        },
        {
          path: at('attributes.http_method'),
          label: 'Method',
          input: { kind: 'choice', options: methods },
          isRequired: true,
        },
        ...(method === 'POST'
          ? [
              {
                path: at('attributes.http_request_body'),
                label: 'Body',
                input: { kind: 'multiline', isMono: true, rows: 4 } as const,
                description:
                  'A JSON object. Everyone who can see the library sees it, so put no secrets here.',
              },
            ]
          : []),
      ],
    },
    {
      title: 'Credential',
      description:
        type === ''
          ? "Without a type, the server's response is passed on unchanged."
          : 'Where each attribute is in the response. Leave empty if the names match. Text that begins with a slash is a JSON pointer, such as /data/login/user.',
      fields: [
        ...more,
        ...mappingsOf[type].map(([field, name]) => ({
          path: at(`credential_mapping_overrides.${field}`),
          label: `${attributeLabel(name)} is in`,
          input: { kind: 'text', isMono: true, placeholder: name } as const,
        })),
      ],
    },
  ];
}

const otherLabels = { request: 'Request' } as const;

function knownType(type: string): LibraryCredentialType {
  return libraryCredentialTypes.find((known) => known === type) ?? '';
}

export const libraryNames: CodeNames = {
  collection: 'credential-libraries',
  command: 'credential-libraries',
  type: 'vault-generic',
  resource: 'boundary_credential_library_vault',
  flags: {
    path: 'vault-path',
    http_method: 'vault-http-method',
    http_request_body: 'vault-http-request-body',
    credential_mapping_overrides: 'credential-mapping-override',
  },
  maps: ['credential_mapping_overrides'],
};

/** Only POST has a body, so GET clears the stored one. */
function changesOf(changed: Partial<CredentialLibraryFields>): CredentialLibraryChanges {
  if (changed.attributes?.http_method !== 'GET') return changed;
  return { ...changed, attributes: { ...changed.attributes, http_request_body: '' } };
}

export const libraryKind: RecordKind<
  CredentialLibrary,
  CredentialLibraryFields,
  NewCredentialLibrary,
  CredentialLibraryChanges
> = {
  ...shownLibraries,
  schema: credentialLibrary,
  fieldsOf: fieldsOfCredentialLibrary,
  formOf: (item) => ({
    noun: 'credential library',
    schema: credentialLibraryFields,
    policy: credentialLibraryPolicy,
    otherLabels,
    sections: sections<CredentialLibraryFields>(
      { type: knownType(item.credential_type), method: 'POST' },
      [],
    ),
  }),
  bodyOf: changesOf,
  anewOf: (fields, gone) => {
    const values = { ...fields, credential_type: knownType(gone.credential_type) };
    const body = newCredentialLibrary.safeParse(entered(values, gone.credential_store_id));
    return body.success ? body.data : null;
  },
  code: editAsCode(({ credential_store_id }) => ({ names: libraryNames, place: { credential_store_id } })),
};

export type NewLibraryValues = CredentialLibraryFields & { credential_type: LibraryCredentialType };

export function blankLibrary(): NewLibraryValues {
  return {
    name: '',
    description: '',
    attributes: { path: '', http_method: 'GET', http_request_body: '' },
    credential_type: 'username_password',
    credential_mapping_overrides: {
      username_attribute: '',
      password_attribute: '',
      domain_attribute: '',
      private_key_attribute: '',
      private_key_passphrase_attribute: '',
    },
  };
}

/** The body to create it: only its type's mappings, and a request body only with POST. */
export function newLibraryBody(values: NewLibraryValues, store: string): NewCredentialLibrary {
  return newCredentialLibrary.parse(entered(values, store));
}

function entered(values: NewLibraryValues, store: string) {
  const { attributes, credential_mapping_overrides: overrides, credential_type, ...fields } = values;
  const { http_request_body: body, ...request } = attributes;
  return {
    ...fields,
    credential_store_id: store,
    type: 'vault-generic',
    attributes: { ...request, ...(request.http_method === 'POST' && { http_request_body: body }) },
    credential_type,
    credential_mapping_overrides: Object.fromEntries(
      mappingsOf[credential_type].map(([field]) => [field, overrides[field] ?? '']),
    ),
  };
}

export function newLibraryForm({ type, method }: Shape): RecordFormSpec<NewLibraryValues> {
  return {
    noun: 'credential library',
    // Validates the body to send with the contract's schema; hidden fields aren't sent.
    schema: z
      .strictObject({
        ...credentialLibraryFields.shape,
        attributes: z.strictObject({
          path: z.string(),
          http_method: z.enum(httpMethods),
          http_request_body: z.string(),
        }),
        credential_type: z.enum(libraryCredentialTypes),
      })
      .check(
        z.superRefine((values, context) => {
          const { error } = newCredentialLibrary.safeParse(entered(values, 'store'));
          for (const { path, message } of error?.issues ?? []) {
            context.addIssue({ code: 'custom', path: [...path], message });
          }
        }),
      ),
    policy: record({ ...credentialLibraryPolicy.fields, credential_type: scalar }),
    otherLabels,
    sections: sections<NewLibraryValues>({ type, method }, [
      {
        path: 'credential_type',
        label: 'Type',
        input: {
          kind: 'choice',
          options: libraryCredentialTypes.map((value) => ({
            value,
            ...(value === ''
              ? { label: 'Unchanged', description: "The server's response as is" }
              : typeLabels[value]),
          })),
        },
        isRequired: true,
        description: "The type can't be changed later.",
      },
    ]),
  };
}
