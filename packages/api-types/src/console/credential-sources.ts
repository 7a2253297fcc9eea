/**
 * Credential stores and credentials of the access controller. Secrets are written but never returned; a stored secret
 * is represented by its HMAC, which changes with the secret.
 */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/access.ts';
import { atMost } from './at-most.ts';
import { asSecret, asTrace, policyOf } from './field-kinds.ts';
import {
  collectionActions,
  description,
  nameOf,
  optionalName,
  projectId,
  sourceSearch,
  storedSource,
  defineCollection,
} from './record-fields.ts';
import {
  newVaultAttributes,
  vaultAttributeChanges,
  vaultAttributes,
  type VaultStoreFields,
} from './vault-store.ts';

export const credentialStore = z.object({
  ...storedSource,
  scope_id: z.string(),
  /** For a store of type vault. */
  attributes: z.optional(vaultAttributes),
  authorized_collection_actions: collectionActions,
});
export type CredentialStore = z.output<typeof credentialStore>;

export const credentialTypes = [
  'username_password',
  'username_password_domain',
  'password',
  'ssh_private_key',
  'json',
] as const;
export type CredentialType = (typeof credentialTypes)[number];

export const credential = z.object({
  ...storedSource,
  credential_store_id: z.string(),
  /** The attributes of its type; HMACs instead of secrets. */
  attributes: z.object({
    username: z.optional(z.string()),
    domain: z.optional(z.string()),
    password_hmac: z.optional(z.string()),
    private_key_hmac: z.optional(z.string()),
    private_key_passphrase_hmac: z.optional(z.string()),
    object_hmac: z.optional(z.string()),
  }),
});
export type Credential = z.output<typeof credential>;

export const credentialStoreFields = z.strictObject({ name: nameOf('A credential store'), description });
export type CredentialStoreFields = z.output<typeof credentialStoreFields>;
export const credentialStorePolicy = policyOf(credentialStoreFields);

/** The editable fields of a stored credential store. */
export function fieldsOfCredentialStore(from: CredentialStore): CredentialStoreFields {
  return { name: from.name, description: from.description };
}

/** The editable fields of a stored vault store; '' for secrets, with their HMACs. */
export function fieldsOfVaultStore(from: CredentialStore): VaultStoreFields {
  const { attributes } = from;
  return {
    ...fieldsOfCredentialStore(from),
    attributes: {
      address: attributes?.address ?? '',
      namespace: attributes?.namespace ?? '',
      ca_cert: attributes?.ca_cert ?? '',
      tls_server_name: attributes?.tls_server_name ?? '',
      tls_skip_verify: attributes?.tls_skip_verify ?? false,
      client_certificate: attributes?.client_certificate ?? '',
      client_certificate_key: '',
      client_certificate_key_hmac: attributes?.client_certificate_key_hmac ?? '',
      token: '',
      token_hmac: attributes?.token_hmac ?? '',
    },
  };
}

const secretLimit = 64 * 1024;
const required = (what: string, limit = 1024) =>
  z
    .string()
    .check(
      z.minLength(1, `Enter the ${what}.`),
      z.maxLength(limit, `The ${what} must be ${limit.toLocaleString('en')} characters or fewer.`),
    );
const username = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the user name.'),
    z.maxLength(1024, 'The user name must be 1,024 characters or fewer.'),
  );
const domain = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the domain.'),
    z.maxLength(1024, 'The domain must be 1,024 characters or fewer.'),
  );
const password = asSecret(required('password', 4096));
const privateKey = asSecret(required('private key', secretLimit));
const passphrase = asSecret(
  z.string().check(z.maxLength(4096, 'The passphrase must be 4,096 characters or fewer.')),
);
const objectMessage = 'Enter a JSON object, such as {"user": "app"}.';
/** Sent as JSON text, so that it is stored exactly as written, including numbers beyond 2^53. */
const objectText = asSecret(
  z
    .string()
    .check(
      atMost(secretLimit, 'The object must be 65,536 characters or fewer.'),
      z.refine(isObjectText, objectMessage),
    ),
);

/** Whether a text is a JSON object. */
export function isObjectText(value: string): boolean {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}

const newAttributes = {
  username_password: z.strictObject({ username, password }),
  username_password_domain: z.strictObject({ username, domain, password }),
  password: z.strictObject({ password }),
  ssh_private_key: z.strictObject({
    username,
    private_key: privateKey,
    private_key_passphrase: z.optional(passphrase),
  }),
  json: z.strictObject({ object: objectText }),
};

const secret = asSecret(z.string());
const hmac = asTrace(z.string());
/**
 * The fields that a user edits. An empty secret is kept. The HMACs can't be edited: they are included so that a secret
 * changed on both sides is a conflict.
 */
export const credentialFields = z.strictObject({
  name: optionalName,
  description,
  attributes: z.strictObject({
    username: z.optional(username),
    domain: z.optional(domain),
    password: z.optional(secret),
    password_hmac: z.optional(hmac),
    private_key: z.optional(secret),
    private_key_hmac: z.optional(hmac),
    private_key_passphrase: z.optional(secret),
    private_key_passphrase_hmac: z.optional(hmac),
    object: z.optional(
      asSecret(z.string().check(z.refine((value) => value === '' || isObjectText(value), objectMessage))),
    ),
    object_hmac: z.optional(hmac),
  }),
});
export type CredentialFields = z.output<typeof credentialFields>;

/** How two edits of a credential merge: a new secret on one side conflicts with a new HMAC on the other. */
export const credentialPolicy = policyOf(credentialFields, {
  more: {
    attributes: policyOf(credentialFields.shape.attributes, {
      groups: [
        { name: 'password', fields: ['password', 'password_hmac'] },
        {
          name: 'private key',
          fields: [
            'private_key',
            'private_key_hmac',
            'private_key_passphrase',
            'private_key_passphrase_hmac',
          ],
        },
        { name: 'object', fields: ['object', 'object_hmac'] },
      ],
    }),
  },
});

/** The editable fields of a stored credential; '' for secrets, with their HMACs. */
export function fieldsOfCredential(from: Credential): CredentialFields {
  const { attributes } = from;
  const secretOf = (name: 'password' | 'private_key' | 'private_key_passphrase' | 'object') => ({
    [name]: '',
    [`${name}_hmac`]: attributes[`${name}_hmac`] ?? '',
  });
  const named = { username: attributes.username ?? '' };
  const byType: Readonly<Record<string, CredentialFields['attributes']>> = {
    username_password: { ...named, ...secretOf('password') },
    username_password_domain: { ...named, domain: attributes.domain ?? '', ...secretOf('password') },
    password: secretOf('password'),
    ssh_private_key: { ...named, ...secretOf('private_key'), ...secretOf('private_key_passphrase') },
    json: secretOf('object'),
  };
  return { name: from.name, description: from.description, attributes: byType[from.type] ?? {} };
}

const newStore = {
  scope_id: projectId('Choose the project that will hold the credential store.'),
  name: nameOf('A credential store'),
  description: z.optional(description),
};
/** A new credential store, by its type. */
export const newCredentialStore = z.discriminatedUnion('type', [
  z.strictObject({ ...newStore, type: z.literal('static') }),
  z.strictObject({ ...newStore, type: z.literal('vault'), attributes: newVaultAttributes }),
]);
export type NewCredentialStore = z.input<typeof newCredentialStore>;

/** Only the changed fields. Attributes are for a store of type vault. */
export const credentialStoreChanges = z.strictObject({
  ...z.partial(credentialStoreFields).shape,
  attributes: z.optional(vaultAttributeChanges),
});
export type CredentialStoreChanges = z.input<typeof credentialStoreChanges>;

const newCredentialOf = <Type extends CredentialType>(type: Type) =>
  z.strictObject({
    credential_store_id: z.string(),
    type: z.literal(type),
    name: z.optional(optionalName),
    description: z.optional(description),
    attributes: newAttributes[type],
  });

/** A new credential, by its type. */
export const newCredential = z.discriminatedUnion('type', [
  newCredentialOf('username_password'),
  newCredentialOf('username_password_domain'),
  newCredentialOf('password'),
  newCredentialOf('ssh_private_key'),
  newCredentialOf('json'),
]);
export type NewCredential = z.input<typeof newCredential>;

/** Only the changed fields; '' clears the name, description and passphrase. A secret is only sent to replace it. */
export const credentialChanges = z.strictObject({
  name: z.optional(optionalName),
  description: z.optional(description),
  attributes: z.optional(
    z.strictObject({
      username: z.optional(username),
      domain: z.optional(domain),
      password: z.optional(password),
      private_key: z.optional(privateKey),
      private_key_passphrase: z.optional(passphrase),
      object: z.optional(objectText),
    }),
  ),
});
export type CredentialChanges = z.input<typeof credentialChanges>;

/** A credential or a library in a picker. */
export const credentialSourceChoice = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** The credential's type, for example `username_password`; empty for a library without a fixed type. */
  credential_type: z.string(),
  credential_store_id: z.string(),
  credential_store_name: z.string(),
  /** The store's type: `static` for credentials, `vault` for libraries. */
  credential_store_type: z.string(),
});
export type CredentialSourceChoice = z.output<typeof credentialSourceChoice>;

export const credentialStores = defineResource(() =>
  defineCollection(at.credentialStores, {
    record: credentialStore,
    fields: newCredentialStore,
    changes: credentialStoreChanges,
    list: { summary: 'A page of the credential stores in a scope' },
    get: { summary: 'One credential store' },
    create: {
      summary: 'Create a credential store in a project; for type vault, the token is verified and kept',
    },
    update: { summary: 'Edit a credential store; only the given fields change' },
    delete: { summary: 'Delete a credential store with its credentials or libraries' },
  }),
);

export const credentials = defineResource(() =>
  defineCollection(at.credentials, {
    record: credential,
    fields: newCredential,
    changes: credentialChanges,
    list: { summary: 'A page of the credentials of a store' },
    get: { summary: 'One credential, without its secret' },
    create: { summary: 'Create a credential in a static store' },
    update: { summary: 'Edit a credential, or replace its secret' },
    delete: { summary: 'Delete a credential; targets lose it as a source' },
  }),
);

export const credentialSources = defineResource(() => ({
  search: defineEndpoint(at.credentialSources.search, {
    summary: 'Credentials and libraries of every store of a project, by name, description or ID',
    ...sourceSearch(credentialSourceChoice),
  }),
}));
