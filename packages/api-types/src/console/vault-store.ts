/**
 * Attributes of a credential store of type vault: how to reach its secrets server, and the token. Token and key are
 * written but never returned; each is represented by its HMAC.
 */
import * as z from 'zod/mini';
import { atMost } from './at-most.ts';
import { asSecret, asTrace, policyOf } from './field-kinds.ts';
import { description, nameOf } from './record-fields.ts';

/** States of a store's token: in use, in use while renewal is retried, revoked, expired. */
export const tokenStatuses = ['current', 'renewing', 'revoked', 'expired'] as const;
export type TokenStatus = (typeof tokenStatuses)[number];

export const vaultAttributes = z.object({
  address: z.string(),
  namespace: z.string(),
  ca_cert: z.string(),
  tls_server_name: z.string(),
  tls_skip_verify: z.boolean(),
  client_certificate: z.string(),
  client_certificate_key_hmac: z.string(),
  token_hmac: z.string(),
  /** One of `tokenStatuses`; a controller may have others, or report none. */
  token_status: z.string(),
  /** When the token expires unless renewed; empty if the controller doesn't report it. */
  token_expiration_time: z.string(),
});
export type VaultAttributes = z.output<typeof vaultAttributes>;

const addressMessage = 'Enter an address such as https://secrets.example.com:8200.';
const address = z.string().check(
  z.trim(),
  z.minLength(1, addressMessage),
  atMost(1024, 'The address must be 1,024 characters or fewer.'),
  z.refine((value) => {
    const url = URL.parse(value);
    return url !== null && /^https?:$/.test(url.protocol) && url.host !== '' && url.username === '';
  }, addressMessage),
);
const namespace = z
  .string()
  .check(
    z.trim(),
    atMost(1024, 'The namespace must be 1,024 characters or fewer.'),
    z.regex(/^[\x21-\x7e]*$/, 'A namespace can only contain visible characters, such as team/app.'),
  );
const pemLimit = 64 * 1024;
const certificate = (what: string) =>
  z.string().check(
    atMost(pemLimit, `The ${what} must be 65,536 characters or fewer.`),
    z.refine(
      (value) =>
        value.trim() === '' ||
        /^-----BEGIN CERTIFICATE-----[^]*-----END CERTIFICATE-----$/.test(value.trim()),
      `Paste the ${what} as PEM, from "-----BEGIN CERTIFICATE-----" on.`,
    ),
  );
const clientKey = asSecret(
  z.string().check(
    atMost(pemLimit, 'The key must be 65,536 characters or fewer.'),
    z.refine(
      (value) => value.trim() === '' || value.includes('PRIVATE KEY-----'),
      'Paste the private key as PEM, from "-----BEGIN" on.',
    ),
  ),
);
const token = asSecret(
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Enter a token of the secrets server.'),
      atMost(4096, 'The token must be 4,096 characters or fewer.'),
      z.regex(/^[\x21-\x7e]*$/, 'A token can only contain visible characters.'),
    ),
);
const tlsServerName = z
  .string()
  .check(z.trim(), z.maxLength(253, 'A host name must be 253 characters or fewer.'));

const connection = {
  address,
  namespace,
  ca_cert: certificate('CA certificate'),
  tls_server_name: tlsServerName,
  tls_skip_verify: z.boolean(),
  client_certificate: certificate('client certificate'),
};

/** The attributes of a new store. */
export const newVaultAttributes = z.strictObject({
  ...z.partial(z.strictObject(connection)).shape,
  address,
  token,
  client_certificate_key: z.optional(clientKey),
});

/** Only the changed attributes; '' clears. A secret is only sent to replace it. */
export const vaultAttributeChanges = z.strictObject({
  ...z.partial(z.strictObject(connection)).shape,
  token: z.optional(token),
  client_certificate_key: z.optional(clientKey),
});

/** How a store reaches its secrets server, without secrets. */
type Connection = Pick<VaultAttributes, keyof typeof connection>;
type StoredSecret = 'token' | 'client_certificate_key';

/**
 * The stored secrets that an edit must include again, because the edit would send them to another destination or in
 * another way. A stored secret never follows a changed destination.
 * @param stored the store's current attributes; a controller may hide them
 * @param edit the new attributes, all or only the changed ones
 */
export function secretsToGiveAgain(
  stored: Connection & Pick<VaultAttributes, 'client_certificate_key_hmac'>,
  edit: { readonly [Name in keyof Connection]?: Connection[Name] | undefined },
): readonly StoredSecret[] {
  const names = Object.keys(connection) as (keyof Connection)[];
  // Every store has an address, so an empty one means that the controller hides attributes.
  const isShown = stored.address !== '';
  const isSame = (name: keyof Connection): boolean => {
    const value = edit[name];
    return value === undefined || (isShown && comparable(name, value) === comparable(name, stored[name]));
  };
  if (names.every(isSame)) return [];
  const hasKey = !isShown || stored.client_certificate !== '' || stored.client_certificate_key_hmac !== '';
  const isCleared = edit.client_certificate?.trim() === '';
  return hasKey && !isCleared ? ['token', 'client_certificate_key'] : ['token'];
}

/** Messages about the secrets of `secretsToGiveAgain`. */
export const giveAgainWords: Readonly<Record<StoredSecret, string>> = {
  token:
    "Enter the token again: the stored token isn't reused when the address, the namespace or a TLS setting changes.",
  client_certificate_key:
    "Enter the key again: the stored key isn't reused when the address, the namespace or a TLS setting changes.",
};

/** Normalizes a setting: an address may end in slashes. */
function comparable(name: keyof Connection, value: string | boolean): string | boolean {
  if (typeof value !== 'string') return value;
  return name === 'address' ? value.trim().replace(/(?<!\/)\/+$/, '') : value.trim();
}

/**
 * The fields that a user edits. An empty secret is kept. The HMACs can't be edited: they are included so that a secret
 * changed on both sides is a conflict.
 */
export const vaultStoreFields = z.strictObject({
  name: nameOf('A credential store'),
  description,
  attributes: z.strictObject({
    address,
    namespace,
    token: asSecret(z.string()),
    token_hmac: asTrace(z.string()),
    ca_cert: connection.ca_cert,
    tls_server_name: tlsServerName,
    tls_skip_verify: connection.tls_skip_verify,
    client_certificate: connection.client_certificate,
    client_certificate_key: clientKey,
    client_certificate_key_hmac: asTrace(z.string()),
  }),
});
export type VaultStoreFields = z.output<typeof vaultStoreFields>;

/** How two edits of a store merge: if both changed the connection, one side's is chosen as a whole. */
export const vaultStorePolicy = policyOf(vaultStoreFields, {
  more: {
    // All belong to one connection: a token entered for one address must never be sent to the other side's.
    attributes: policyOf(vaultStoreFields.shape.attributes, {
      groups: [{ name: 'connection', fields: Object.keys(vaultStoreFields.shape.attributes.shape) }],
    }),
  },
});
