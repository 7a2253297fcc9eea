/** The forms of credential stores of type Vault. The token and the key are write-only. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import {
  credentialStore,
  fieldsOfVaultStore,
  newCredentialStore,
  type CredentialStore,
  type CredentialStoreChanges,
  type NewCredentialStore,
} from '@gatehouse/api-types/console/credential-sources';
import { secretsOf } from '@gatehouse/api-types/console/field-kinds';
import {
  giveAgainWords,
  secretsToGiveAgain,
  vaultStoreFields,
  vaultStorePolicy,
  type VaultStoreFields,
} from '@gatehouse/api-types/console/vault-store';
import type { FieldPath, FieldValues } from 'react-hook-form';
import type { FieldSpec, FormSection, RecordFormSpec } from '#components/form/record-form.ts';
import { descriptionField, nameField } from '#components/record/label-fields.ts';
import { editAsCode, type CodeNames } from '#components/record/record-as-code.ts';
import { nameOrId, type RecordKind } from '#components/record/record-kind.ts';
import { guardOfSecrets } from './guard-of-secrets.ts';
import { shownStores } from './kinds.ts';

/** The contract marks them as secret. */
const secrets = secretsOf(vaultStoreFields);

/** When a stored secret must be entered again in the form of a stored store. */
type GivenAgain<Values extends FieldValues> = (
  secret: keyof typeof giveAgainWords,
) => Pick<FieldSpec<Values>, 'requiredBy'>;

/**
 * The sections for the secrets server and TLS, for any form whose values have these attributes.
 * @param givenAgain only for a stored store; a new one has no secrets yet
 */
export function vaultSections<Values extends { attributes: object }>(
  givenAgain?: GivenAgain<Values>,
): readonly FormSection<Values>[] {
  const isNew = givenAgain === undefined;
  const field = (
    name: keyof VaultStoreFields['attributes'],
    spec: Omit<FieldSpec<Values>, 'path'>,
  ): FieldSpec<Values> => ({
    // Every attribute is a path of the values.
    path: `attributes.${name}` as FieldPath<Values>,
    ...spec,
  });
  return [
    {
      title: 'Secrets server',
      description:
        'Issues credentials when a session is authorized. Saving checks that the server accepts the token.',
      fields: [
        field('address', {
          label: 'Address',
          input: { kind: 'text', isMono: true, placeholder: 'https://secrets.example.com:8200' },
          isRequired: true,
          description: 'The address at which the access controller reaches the secrets server.',
        }),
        field('namespace', {
          label: 'Namespace',
          input: { kind: 'text', isMono: true, placeholder: 'team/app' },
          description: 'Empty for the root namespace.',
        }),
        tokenField<Values>(givenAgain),
      ],
    },
    {
      title: 'TLS',
      description:
        'For https servers that use a private CA, have a certificate for another name, or require a client certificate.',
      fields: [
        field('ca_cert', {
          label: 'CA certificate',
          input: { kind: 'multiline', isMono: true, rows: 4 },
          description: "PEM. The certificate of the CA that signed the server's certificate.",
        }),
        field('tls_server_name', {
          label: 'TLS server name',
          input: { kind: 'text', isMono: true },
          description: 'The name in the certificate, if it differs from the address.',
        }),
        field('client_certificate', {
          label: 'Client certificate',
          input: { kind: 'multiline', isMono: true, rows: 4 },
          description: 'PEM, for servers that require one.',
        }),
        field('client_certificate_key', {
          label: isNew ? 'Client certificate key' : 'New client certificate key',
          input: { kind: 'multiline', isMono: true, rows: 4 },
          description: isNew ? 'PEM. Stored encrypted.' : 'Leave empty to keep the stored one.',
          ...givenAgain?.('client_certificate_key'),
        }),
        field('tls_skip_verify', {
          label: 'Accept any certificate',
          input: { kind: 'check' },
          description: 'Anyone on the network path can then read every credential. For tests only.',
        }),
      ],
    },
  ];
}

function tokenField<Values extends { attributes: object }>(
  givenAgain?: GivenAgain<Values>,
): FieldSpec<Values> {
  const isNew = givenAgain === undefined;
  return {
    path: 'attributes.token' as FieldPath<Values>,
    label: isNew ? 'Token' : 'New token',
    input: { kind: 'secret' },
    ...(isNew && { isRequired: true }),
    ...givenAgain?.('token'),
    description: isNew
      ? 'Must be renewable, periodic and an orphan. The token is renewed automatically and stored encrypted.'
      : "Must be renewable, periodic and an orphan. Leave empty to keep the stored token, which can't be read.",
  };
}

const givenAgain: GivenAgain<VaultStoreFields> = (secret) => ({
  requiredBy: ({ attributes }, stored) => {
    if (secretsToGiveAgain(stored.attributes, attributes).includes(secret))
      return { description: againWords[secret], error: giveAgainWords[secret] };
    const isFirstKey =
      secret === 'client_certificate_key' &&
      attributes.client_certificate.trim() !== '' &&
      stored.attributes.client_certificate_key_hmac === '';
    return isFirstKey
      ? {
          description: 'PEM. Required by the client certificate.',
          error: 'Enter the key of the client certificate.',
        }
      : undefined;
  },
});

const againWords = {
  token:
    "The stored token isn't reused when the connection changes. Enter the same token again, or another renewable, periodic orphan token.",
  client_certificate_key:
    "The stored key isn't reused when the connection changes. Enter the same key again, or another key.",
} as const;

const otherLabels = {
  'attributes.token_hmac': 'Stored token',
  'attributes.client_certificate_key_hmac': 'Stored client certificate key',
  connection: 'Connection',
} as const;

const storedForm: RecordFormSpec<VaultStoreFields> = {
  noun: 'credential store',
  schema: vaultStoreFields,
  policy: vaultStorePolicy,
  otherLabels,
  sections: [
    { title: 'Identity', fields: [nameField('project'), descriptionField] },
    ...vaultSections(givenAgain),
  ],
};

/** The changes to send: only secrets you entered, and never the HMACs of stored ones. */
function changesOf(changed: Partial<VaultStoreFields>): CredentialStoreChanges {
  const { attributes = {}, ...rest } = changed;
  const sent = Object.entries(attributes).filter(
    ([name, value]) => !name.endsWith('_hmac') && !(value === '' && secrets.has(name)),
  );
  return { ...rest, ...(sent.length > 0 && { attributes: Object.fromEntries(sent) }) };
}

export const vaultStoreNames: CodeNames = {
  collection: 'credential-stores',
  command: 'credential-stores',
  type: 'vault',
  resource: 'boundary_credential_store_vault',
  flags: {
    address: 'vault-address',
    namespace: 'vault-namespace',
    token: 'vault-token',
    ca_cert: 'vault-ca-cert',
    tls_server_name: 'vault-tls-server-name',
    tls_skip_verify: 'vault-tls-skip-verify',
    client_certificate: 'vault-client-certificate',
    client_certificate_key: 'vault-client-certificate-key',
  },
  secrets,
  sources: { token: 'env://VAULT_TOKEN', client_certificate_key: 'file://client-key.pem' },
};

export const vaultStoreKind: RecordKind<
  CredentialStore,
  VaultStoreFields,
  NewCredentialStore,
  CredentialStoreChanges
> = {
  ...shownStores,
  schema: credentialStore,
  fieldsOf: fieldsOfVaultStore,
  formOf: () => storedForm,
  bodyOf: changesOf,
  guardOf: ({ item, values }) =>
    guardOfSecrets(
      at.credentialStores.update.harm,
      'credential store',
      nameOrId(item),
      values.attributes,
      secrets,
    ),
  anewOf: ({ attributes, ...fields }, { scope_id }) => {
    const { token_hmac: _, client_certificate_key_hmac: __, ...entered } = attributes;
    const body = newCredentialStore.safeParse({ ...fields, scope_id, type: 'vault', attributes: entered });
    return body.success ? body.data : null;
  },
  code: editAsCode(({ scope_id }) => ({ names: vaultStoreNames, place: { scope_id } })),
};

/** A store's form with only the token. */
export const tokenKind: typeof vaultStoreKind = {
  ...vaultStoreKind,
  formOf: () => ({
    ...storedForm,
    sections: [
      {
        title: 'Token',
        description: ({ attributes }) =>
          `The token is sent to ${attributes.address}, which must accept it. The old token is revoked once no session uses credentials issued with it.`,
        fields: [tokenField(givenAgain)],
      },
    ],
    // If others change the connection, you can resolve all its fields.
    inConflict: vaultSections(givenAgain)
      .flatMap(({ fields }) => fields)
      .filter(({ path }) => path !== 'attributes.token'),
  }),
};
