/** The forms of credentials of all types. Secrets are write-only. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import {
  credential,
  credentialFields,
  credentialPolicy,
  credentialTypes,
  fieldsOfCredential,
  newCredential,
  type Credential,
  type CredentialChanges,
  type CredentialFields,
  type CredentialType,
  type NewCredential,
} from '@gatehouse/api-types/console/credential-sources';
import { secretsOf } from '@gatehouse/api-types/console/field-kinds';
import { record, scalar } from '@gatehouse/record-merge/policy';
import type { FieldPath } from 'react-hook-form';
import * as z from 'zod/mini';
import type { FieldInput, FieldSpec, RecordFormSpec } from '#components/form/record-form.ts';
import { editAsCode, type CodeNames } from '#components/record/record-as-code.ts';
import { nameOrId, type RecordKind } from '#components/record/record-kind.ts';
import { typeLabels } from '#components/source/credential-types.ts';
import { guardOfSecrets } from './guard-of-secrets.ts';
import { shownCredentials } from './kinds.ts';

type Attribute = Exclude<keyof CredentialFields['attributes'], `${string}_hmac`>;

const attributes: Readonly<Record<Attribute, { label: string; input: FieldInput; description?: string }>> = {
  username: { label: 'User name', input: { kind: 'text', isMono: true } },
  domain: { label: 'Domain', input: { kind: 'text', isMono: true, placeholder: 'corp.example' } },
  password: { label: 'Password', input: { kind: 'secret' } },
  private_key: {
    label: 'Private key',
    input: { kind: 'multiline', isMono: true, rows: 6 },
    description: 'PEM or OpenSSH, including the first and last lines.',
  },
  private_key_passphrase: { label: 'Passphrase', input: { kind: 'secret' } },
  object: {
    label: 'Object',
    input: { kind: 'multiline', isMono: true, rows: 6 },
    description: 'A JSON object, stored exactly as entered.',
  },
};

/** The contract marks them as secret. */
const secrets = secretsOf(credentialFields);

const attributesOf: Readonly<Record<CredentialType, readonly Attribute[]>> = {
  username_password: ['username', 'password'],
  username_password_domain: ['username', 'domain', 'password'],
  password: ['password'],
  ssh_private_key: ['username', 'private_key', 'private_key_passphrase'],
  json: ['object'],
};

const writeOnly = "You can't see this value, but you can set a new one. Leave empty to keep it.";

function attributeFields<Values extends { attributes: CredentialFields['attributes'] }>(
  type: CredentialType,
  isNew: boolean,
): readonly FieldSpec<Values>[] {
  return attributesOf[type].map((name) => {
    const { label, input, description } = attributes[name];
    const isSecret = secrets.has(name);
    const words =
      isNew || !isSecret
        ? name === 'private_key_passphrase'
          ? 'Only if the key has one.'
          : description
        : name === 'private_key_passphrase'
          ? `${writeOnly} With a new private key, leave empty if the key has no passphrase.`
          : writeOnly;
    return {
      // Every attribute is a path of CredentialFields, whose attributes Values contains.
      path: `attributes.${name}` as FieldPath<Values>,
      label: isNew || !isSecret ? label : `New ${label.toLowerCase()}`,
      input,
      ...(name !== 'private_key_passphrase' && (isNew || !isSecret) && { isRequired: true }),
      ...(words !== undefined && { description: words }),
    };
  });
}

const otherLabels = {
  'attributes.password_hmac': 'Stored password',
  'attributes.private_key_hmac': 'Stored private key',
  'attributes.private_key_passphrase_hmac': 'Stored passphrase',
  'attributes.object_hmac': 'Stored object',
  password: 'Password',
  'private key': 'Private key',
  object: 'Object',
} as const;

function knownType(type: string): CredentialType {
  return credentialTypes.find((known) => known === type) ?? 'json';
}

/** The form of a stored credential, whose type can't change. */
function storedForm(type: CredentialType): RecordFormSpec<CredentialFields> {
  return {
    noun: 'credential',
    schema: credentialFields,
    policy: credentialPolicy,
    otherLabels,
    sections: [
      {
        title: 'Identity',
        fields: [
          { path: 'name', label: 'Name', input: { kind: 'text' }, description: 'Unique in its store.' },
          { path: 'description', label: 'Description', input: { kind: 'multiline', rows: 2 } },
        ],
      },
      { title: typeLabels[type].label, fields: attributeFields<CredentialFields>(type, false) },
    ],
  };
}

/** The changes to send: only secrets you entered, and never the HMACs of stored ones. */
function changesOf(
  changed: Partial<CredentialFields>,
  { values }: { readonly values: CredentialFields },
): CredentialChanges {
  const { attributes: changedAttributes = {}, ...rest } = changed;
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(changedAttributes)) {
    const isStoredHmac = name.endsWith('_hmac');
    const isKept = value === '' && secrets.has(name);
    if (!isStoredHmac && !isKept && typeof value === 'string') sent[name] = value;
  }
  // A new key is sent with its passphrase, even if empty: the old key's passphrase wouldn't decrypt it.
  if (sent['private_key'] !== undefined)
    sent['private_key_passphrase'] = values.attributes.private_key_passphrase ?? '';
  return { ...rest, ...(Object.keys(sent).length > 0 && { attributes: sent }) };
}

/** The names of a credential type in CLI, API and Terraform. Secrets are read from the environment or from files. */
export function credentialNames(type: CredentialType): CodeNames {
  return {
    collection: 'credentials',
    command: 'credentials',
    type: type.replaceAll('_', '-'),
    wireType: type,
    resource: `boundary_credential_${type}`,
    secrets,
    sources: {
      private_key: 'file://private-key.pem',
      private_key_passphrase: 'env://PASSPHRASE',
      object: 'file://object.json',
    },
  };
}

export const credentialKind: RecordKind<Credential, CredentialFields, NewCredential, CredentialChanges> = {
  ...shownCredentials,
  schema: credential,
  fieldsOf: fieldsOfCredential,
  formOf: ({ type }) => storedForm(knownType(type)),
  bodyOf: changesOf,
  guardOf: ({ item, values }) =>
    guardOfSecrets(at.credentials.update.harm, 'credential', nameOrId(item), values.attributes, secrets),
  anewOf: (fields, gone) => {
    const type = knownType(gone.type);
    const body = newCredential.safeParse(
      newBody({ ...blankCredential(type), ...fields, type }, gone.credential_store_id),
    );
    return body.success ? body.data : null;
  },
  code: editAsCode(({ type, credential_store_id }) => ({
    names: credentialNames(knownType(type)),
    place: { credential_store_id },
  })),
};

const text = z.optional(z.string());
/** The fields of all types; only those of the chosen type are validated. */
const entered = z.object({
  username: text,
  domain: text,
  password: text,
  private_key: text,
  private_key_passphrase: text,
  object: text,
});

export interface NewCredentialValues {
  name: string;
  description: string;
  type: CredentialType;
  attributes: z.output<typeof entered>;
}

export function blankCredential(type: CredentialType): NewCredentialValues {
  return {
    name: '',
    description: '',
    type,
    attributes: {
      username: '',
      domain: '',
      password: '',
      private_key: '',
      private_key_passphrase: '',
      object: '',
    },
  };
}

/** The body to create it, with only its type's attributes. */
export function newBody({ name, description, type, attributes: given }: NewCredentialValues, store: string) {
  const ofType = attributesOf[type]
    .map((attribute) => [attribute, given[attribute] ?? ''] as const)
    .filter(([attribute, value]) => attribute !== 'private_key_passphrase' || value !== '');
  return {
    credential_store_id: store,
    type,
    ...(name.trim() !== '' && { name }),
    ...(description !== '' && { description }),
    attributes: Object.fromEntries(ofType),
  };
}

/** The form of a new credential of a type. */
export function newCredentialForm(type: CredentialType): RecordFormSpec<NewCredentialValues> {
  return {
    noun: 'credential',
    // Validates with the contract's schema for the type, whose paths match this form's.
    schema: z
      .strictObject({
        ...credentialFields.shape,
        type: z.enum(credentialTypes),
        attributes: entered,
      })
      .check(
        z.superRefine((values, context) => {
          const { error } = newCredential.safeParse(newBody({ ...values, type }, 'store'));
          for (const { path, message } of error?.issues ?? []) {
            context.addIssue({ code: 'custom', path: [...path], message });
          }
        }),
      ),
    policy: record({ ...credentialPolicy.fields, type: scalar }),
    otherLabels,
    sections: [
      {
        title: 'Identity',
        fields: [
          {
            path: 'type',
            label: 'Type',
            input: {
              kind: 'choice',
              options: credentialTypes.map((value) => ({ value, ...typeLabels[value] })),
            },
            isRequired: true,
            description: "The type can't be changed later.",
          },
          { path: 'name', label: 'Name', input: { kind: 'text' }, description: 'Unique in its store.' },
          { path: 'description', label: 'Description', input: { kind: 'multiline', rows: 2 } },
        ],
      },
      {
        title: typeLabels[type].label,
        description: "Secrets are stored encrypted and can't be read here again.",
        fields: attributeFields<NewCredentialValues>(type, true),
      },
    ],
  };
}
