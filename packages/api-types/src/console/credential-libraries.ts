/**
 * Credential libraries of the access controller, which read a session's credentials from a path of a secrets server.
 * They belong to credential stores of type vault.
 */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/access.ts';
import { atMost } from './at-most.ts';
import { isObjectText } from './credential-sources.ts';
import { asText, policyOf } from './field-kinds.ts';
import {
  description,
  environmentParams,
  listErrors,
  optionalName,
  defineCollection,
} from './record-fields.ts';
import { scopeSummary } from './scopes.ts';
import { cloudRoleReference, secretReference } from './targets.ts';

/** The types that a library can convert an answer to; an empty type leaves it unchanged. */
export const libraryCredentialTypes = [
  '',
  'username_password',
  'username_password_domain',
  'password',
  'ssh_private_key',
] as const;
export type LibraryCredentialType = (typeof libraryCredentialTypes)[number];

/** For each type, the fields that say where an answer has the credential's attributes, and their default names. */
export const mappingsOf: Readonly<
  Record<LibraryCredentialType, readonly (readonly [MappingField, string])[]>
> = {
  '': [],
  username_password: [
    ['username_attribute', 'username'],
    ['password_attribute', 'password'],
  ],
  username_password_domain: [
    ['username_attribute', 'username'],
    ['password_attribute', 'password'],
    ['domain_attribute', 'domain'],
  ],
  password: [['password_attribute', 'password']],
  ssh_private_key: [
    ['username_attribute', 'username'],
    ['private_key_attribute', 'private_key'],
    ['private_key_passphrase_attribute', 'private_key_passphrase'],
  ],
};

export const mappingFields = [
  'username_attribute',
  'password_attribute',
  'domain_attribute',
  'private_key_attribute',
  'private_key_passphrase_attribute',
] as const;
export type MappingField = (typeof mappingFields)[number];

const place = z.optional(
  z.string().check(z.trim(), z.maxLength(256, 'A field name must be 256 characters or fewer.')),
);
const overrides = z.strictObject({
  username_attribute: place,
  password_attribute: place,
  domain_attribute: place,
  private_key_attribute: place,
  private_key_passphrase_attribute: place,
});

export const httpMethods = ['GET', 'POST'] as const;

export const credentialLibrary = z.object({
  id: z.string(),
  /** The controller's version, as an opaque string. */
  revision: z.string(),
  scope: scopeSummary,
  /** `vault-generic`; the console shows libraries of other types without their attributes. */
  type: z.string(),
  name: z.string(),
  description: z.string(),
  created_time: z.string(),
  updated_time: z.string(),
  credential_store_id: z.string(),
  attributes: z.object({ path: z.string(), http_method: z.string(), http_request_body: z.string() }),
  /** One of `libraryCredentialTypes`; a controller may have others. */
  credential_type: z.string(),
  credential_mapping_overrides: z.record(z.string(), z.string()),
  /** What the caller may do with this record. */
  authorized_actions: z.array(z.string()),
  /** The secret that it reads, if it belongs to this environment's secrets server; only set for a single library. */
  secret: z.optional(secretReference),
  /** The cloud role whose credentials it reads, likewise. */
  cloud_role: z.optional(cloudRoleReference),
});
export type CredentialLibrary = z.output<typeof credentialLibrary>;

const pathMessage = 'Enter the path that issues the credential, such as secret/data/databases/orders.';
const path = z.string().check(
  z.trim(),
  z.minLength(1, pathMessage),
  atMost(1024, 'A path must be 1,024 characters or fewer.'),
  z.refine(
    (value) => !value.startsWith('v1/'),
    'Leave out v1/ and begin with the mount, such as secret/data/…',
  ),
  z.refine(
    (value) =>
      value
        .replaceAll(/^\/+|(?<!\/)\/+$/g, '')
        .split('/')
        .every((name) => name !== '' && name !== '.' && name !== '..'),
    `A path can't have empty segments, "." or "..".`,
  ),
  // The controller gives what is at the path to users who open a session.
  z.refine(
    (value) =>
      !/(?:^|\/)auth\/token\/(?:lookup|renew|revoke)(?:-self|-accessor|-orphan)?(?:\/|$)/.test(value),
    "This path manages the store's own token, which can't be used as a credential.",
  ),
);
const requestBody = asText(
  z.string().check(
    atMost(16 * 1024, 'A body must be 16,384 characters or fewer.'),
    z.refine(
      (value) => value.trim() === '' || isObjectText(value),
      'Enter a JSON object, such as {"ttl": "1h"}.',
    ),
  ),
);
const attributes = z.strictObject({ path, http_method: z.enum(httpMethods), http_request_body: requestBody });

/** The fields that a user edits. The credential type can't change after creation. */
export const credentialLibraryFields = z.strictObject({
  name: optionalName,
  description,
  attributes,
  credential_mapping_overrides: overrides,
});
export type CredentialLibraryFields = z.output<typeof credentialLibraryFields>;

/** How two edits of a library merge: method and body conflict together. */
export const credentialLibraryPolicy = policyOf(credentialLibraryFields, {
  more: {
    attributes: policyOf(attributes, {
      groups: [{ name: 'request', fields: ['http_method', 'http_request_body'] }],
    }),
  },
});

/** The editable fields of a stored library, with the overrides of its type. */
export function fieldsOfCredentialLibrary(from: CredentialLibrary): CredentialLibraryFields {
  const type = libraryCredentialTypes.find((known) => known === from.credential_type) ?? '';
  return {
    name: from.name,
    description: from.description,
    attributes: {
      path: from.attributes.path,
      http_method: from.attributes.http_method === 'POST' ? 'POST' : 'GET',
      http_request_body: from.attributes.http_request_body,
    },
    credential_mapping_overrides: Object.fromEntries(
      mappingsOf[type].map(([field]) => [field, from.credential_mapping_overrides[field] ?? '']),
    ),
  };
}

/** A new library. */
export const newCredentialLibrary = z.strictObject({
  credential_store_id: z.string(),
  type: z.enum(['vault-generic']),
  name: z.optional(optionalName),
  description: z.optional(description),
  attributes: z.strictObject({ ...z.partial(attributes).shape, path }),
  credential_type: z.optional(z.enum(libraryCredentialTypes)),
  credential_mapping_overrides: z.optional(overrides),
});
export type NewCredentialLibrary = z.input<typeof newCredentialLibrary>;

/** Only the changed fields; '' clears a field. */
export const credentialLibraryChanges = z.strictObject({
  name: z.optional(optionalName),
  description: z.optional(description),
  attributes: z.optional(z.partial(attributes)),
  credential_mapping_overrides: z.optional(overrides),
});
export type CredentialLibraryChanges = z.input<typeof credentialLibraryChanges>;

/** A target with a credential source that reads a secret. */
export const targetUsingSecret = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  scope: scopeSummary,
  /** The target's libraries that read the secret, and their purposes. */
  libraries: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      credential_store_id: z.string(),
      /** `brokered`, `injected_application` or `application`. */
      purpose: z.string(),
    }),
  ),
});
export type TargetUsingSecret = z.output<typeof targetUsingSecret>;

export const credentialLibraries = defineResource(() => ({
  ...defineCollection(at.credentialLibraries, {
    record: credentialLibrary,
    fields: newCredentialLibrary,
    changes: credentialLibraryChanges,
    list: { summary: 'A page of the credential libraries of a store' },
    get: { summary: 'One credential library, and the secret that it reads' },
    create: { summary: 'Create a credential library in a store of type vault' },
    update: { summary: 'Edit a credential library; only the given fields change' },
    delete: { summary: 'Delete a credential library; targets lose it as a source' },
  }),
  targetsUsingSecret: defineEndpoint(at.credentialLibraries.targetsUsingSecret, {
    summary:
      "The targets whose libraries read a secret, a cloud role, or anything of an engine, of this environment's secrets server",
    params: environmentParams,
    query: z.strictObject({
      mount: z.string().check(z.minLength(1)),
      /** A secret, or a cloud role; without either, everything of the engine. */
      path: z.optional(z.string().check(z.minLength(1))),
      role: z.optional(z.string().check(z.minLength(1))),
    }),
    response: z.object({
      items: z.array(targetUsingSecret),
      /** Whether some possible users were not checked because there are too many. */
      more: z.boolean(),
    }),
    errors: listErrors,
  }),
}));
