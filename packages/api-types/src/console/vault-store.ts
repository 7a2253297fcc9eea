/**
 * What a credential store of type vault has beside every store: how its secrets server is reached, and with which token.
 * Token and key are written and never answered; of each its HMAC is told.
 */
import * as z from 'zod/mini';
import { asSecret, asTrace, policyOf } from './field-kinds.ts';
import { description, nameOf } from './record-fields.ts';

/** What a store's token can be: in use; in use while its renewal is being tried again; revoked; run out. */
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
  /** One of `tokenStatuses`; a controller may have others, or tell none. */
  token_status: z.string(),
  /** When the token runs out unless it is renewed; empty where the controller does not tell. */
  token_expiration_time: z.string(),
});
export type VaultAttributes = z.output<typeof vaultAttributes>;

const addressMessage = 'Enter an address such as https://secrets.example.com:8200.';
const address = z.string().check(
  z.trim(),
  z.minLength(1, addressMessage),
  z.maxLength(1024, 'The address must be 1,024 characters or fewer.'),
  z.refine((value) => {
    const url = URL.parse(value);
    return url !== null && /^https?:$/.test(url.protocol) && url.host !== '' && url.username === '';
  }, addressMessage),
);
const namespace = z
  .string()
  .check(
    z.trim(),
    z.maxLength(1024, 'The namespace must be 1,024 characters or fewer.'),
    z.regex(/^[\x21-\x7e]*$/, 'A namespace can only contain visible characters, such as team/app.'),
  );
const pemLimit = 64 * 1024;
const certificate = (what: string) =>
  z.string().check(
    z.maxLength(pemLimit, `The ${what} must be 65,536 characters or fewer.`),
    z.refine(
      (value) =>
        value.trim() === '' ||
        /^-----BEGIN CERTIFICATE-----[^]*-----END CERTIFICATE-----$/.test(value.trim()),
      `Paste the ${what} as PEM, from "-----BEGIN CERTIFICATE-----" on.`,
    ),
  );
const clientKey = asSecret(
  z.string().check(
    z.maxLength(pemLimit, 'The key must be 65,536 characters or fewer.'),
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
      z.maxLength(4096, 'The token must be 4,096 characters or fewer.'),
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

/** The changed attributes alone; '' clears. A secret is sent only to be replaced. */
export const vaultAttributeChanges = z.strictObject({
  ...z.partial(z.strictObject(connection)).shape,
  token: z.optional(token),
  client_certificate_key: z.optional(clientKey),
});

/** How a store reaches its secrets server, without the secrets. */
type Connection = Pick<VaultAttributes, keyof typeof connection>;
type StoredSecret = 'token' | 'client_certificate_key';

/**
 * Which stored secrets an edit has to give again: all that would be used in another place, or in another way, than they
 * were given for. A stored secret never follows a changed destination.
 * @param stored the store as it is; a controller may show nothing of it
 * @param edit what is set, the whole store or the changes alone
 */
export function secretsToGiveAgain(
  stored: Connection & Pick<VaultAttributes, 'client_certificate_key_hmac'>,
  edit: { readonly [Name in keyof Connection]?: Connection[Name] | undefined },
): readonly StoredSecret[] {
  const names = Object.keys(connection) as (keyof Connection)[];
  // Every store has an address: without one, the controller doesn't show everything.
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

/** What to do about a secret of `secretsToGiveAgain`. */
export const giveAgainWords: Readonly<Record<StoredSecret, string>> = {
  token:
    "Enter the token again: the stored token isn't reused when the address, the namespace or a TLS setting changes.",
  client_certificate_key:
    "Enter the key again: the stored key isn't reused when the address, the namespace or a TLS setting changes.",
};

/** A setting without what makes no difference: an address may end in a slash. */
function comparable(name: keyof Connection, value: string | boolean): string | boolean {
  if (typeof value !== 'string') return value;
  return name === 'address' ? value.trim().replace(/\/+$/, '') : value.trim();
}

/**
 * What a person edits. A secret that is '' is kept as it is. The HMACs are not edited: they go along so that a secret
 * changed on both sides is seen as a conflict.
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

/** How two edits of a store merge: where both changed the connection, one of the two is chosen whole. */
export const vaultStorePolicy = policyOf(vaultStoreFields, {
  more: {
    // All of one connection: a token that was entered for one address must not come to be sent to the other side's.
    attributes: policyOf(vaultStoreFields.shape.attributes, {
      groups: [{ name: 'connection', fields: Object.keys(vaultStoreFields.shape.attributes.shape) }],
    }),
  },
});
