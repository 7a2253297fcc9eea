import type { Resource } from '../resource.ts';

export const credentialTypes = [
  'username_password',
  'username_password_domain',
  'password',
  'ssh_private_key',
  'json',
] as const;
export type CredentialType = (typeof credentialTypes)[number];

/** Prefixes of credential IDs, by type. */
export const credentialPrefixes: Readonly<Record<CredentialType, string>> = {
  username_password: 'credup',
  username_password_domain: 'credupd',
  password: 'credp',
  ssh_private_key: 'credspk',
  json: 'credjson',
};

/** The attributes of a type: the readable ones, and the secret ones. */
interface CredentialForm {
  readonly plain: readonly PlainAttribute[];
  readonly secret: readonly SecretAttribute[];
}

export type PlainAttribute = 'username' | 'domain';
export type SecretAttribute = 'password' | 'private_key' | 'private_key_passphrase' | 'object';

/** The attributes of each type. */
export const credentialForms: Readonly<Record<CredentialType, CredentialForm>> = {
  username_password: { plain: ['username'], secret: ['password'] },
  username_password_domain: { plain: ['username', 'domain'], secret: ['password'] },
  password: { plain: [], secret: ['password'] },
  ssh_private_key: { plain: ['username'], secret: ['private_key', 'private_key_passphrase'] },
  json: { plain: [], secret: ['object'] },
};

/** The only attribute that a credential may lack. */
export const optionalAttribute: SecretAttribute = 'private_key_passphrase';

/** Most bytes of the secrets that one session gets. A client gets them in three forms, and others wait for all three. */
export const mostSessionSecretBytes = 4 * 1024 * 1024;

/** A secret text, or for `object` a JSON object. */
export type SecretValue = string | Readonly<Record<string, unknown>>;

/** The secret attributes that a credential has. */
export type Secrets = Readonly<Partial<Record<SecretAttribute, SecretValue>>>;

/** A credential of a static store. */
export interface Credential extends Resource {
  readonly id: string;
  readonly storeId: string;
  /** The store's project. */
  readonly projectId: string;
  readonly type: CredentialType;
  readonly plain: Readonly<Partial<Record<PlainAttribute, string>>>;
  /** Keyed hashes, which show only whether a secret has changed. */
  readonly fingerprints: Readonly<Partial<Record<SecretAttribute, string>>>;
  /** The secrets, encrypted for this credential only. */
  readonly sealed: Uint8Array;
}

/** Encrypts secrets. */
export interface SecretVault {
  seal(credentialId: string, secrets: Secrets): Uint8Array;
  open(credential: Pick<Credential, 'id' | 'sealed'>): Secrets;
  /** Decrypts secrets, and leaves parsing them to a later call of the result. */
  decrypt(credential: Pick<Credential, 'id' | 'sealed'>): () => Secrets;
  /** A keyed hash, equal only for the same secret of the same credential or store. */
  fingerprint(ownerId: string, attribute: string, value: SecretValue): string;
}
