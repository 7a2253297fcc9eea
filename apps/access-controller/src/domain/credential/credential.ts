import type { Resource } from '../resource.ts';

/** Kinds of credentials. */
export const credentialTypes = [
  'username_password',
  'username_password_domain',
  'password',
  'ssh_private_key',
  'json',
] as const;
export type CredentialType = (typeof credentialTypes)[number];

/** Prefixes of the ids of credentials, by type. */
export const credentialPrefixes: Readonly<Record<CredentialType, string>> = {
  username_password: 'credup',
  username_password_domain: 'credupd',
  password: 'credp',
  ssh_private_key: 'credspk',
  json: 'credjson',
};

/** The attributes of a type: those that everyone sees, and those that are kept secret. */
interface CredentialForm {
  readonly plain: readonly PlainAttribute[];
  readonly secret: readonly SecretAttribute[];
}

export type PlainAttribute = 'username' | 'domain';
export type SecretAttribute = 'password' | 'private_key' | 'private_key_passphrase' | 'object';

/** What each type consists of. */
export const credentialForms: Readonly<Record<CredentialType, CredentialForm>> = {
  username_password: { plain: ['username'], secret: ['password'] },
  username_password_domain: { plain: ['username', 'domain'], secret: ['password'] },
  password: { plain: [], secret: ['password'] },
  ssh_private_key: { plain: ['username'], secret: ['private_key', 'private_key_passphrase'] },
  json: { plain: [], secret: ['object'] },
};

/** The one attribute that a credential may be without. */
export const optionalAttribute: SecretAttribute = 'private_key_passphrase';

/** Text that is kept secret, or for `object` a JSON object. */
export type SecretValue = string | Readonly<Record<string, unknown>>;

/** The secret attributes that a credential has. */
export type Secrets = Readonly<Partial<Record<SecretAttribute, SecretValue>>>;

/** A credential of a static store. */
export interface Credential extends Resource {
  readonly id: string;
  readonly storeId: string;
  /** The project of the store. */
  readonly projectId: string;
  readonly type: CredentialType;
  readonly plain: Readonly<Partial<Record<PlainAttribute, string>>>;
  /** Tells whether a secret is the same as another time, and nothing else about it. */
  readonly fingerprints: Readonly<Partial<Record<SecretAttribute, string>>>;
  /** The secrets, encrypted for this credential alone. */
  readonly sealed: Uint8Array;
}

/** Encrypts secrets. */
export interface SecretVault {
  seal(credentialId: string, secrets: Secrets): Uint8Array;
  open(credential: Pick<Credential, 'id' | 'sealed'>): Secrets;
  /** A keyed hash that is the same for the same secret of the same credential or store, and for nothing else. */
  fingerprint(ownerId: string, attribute: string, value: SecretValue): string;
}
