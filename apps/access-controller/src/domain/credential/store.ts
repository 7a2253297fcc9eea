import type { Resource } from '../resource.ts';
import type { Connection } from '../vault-store/connection.ts';
import type { StoreToken } from '../vault-store/token.ts';

/** Provides a project's credentials. */
export type CredentialStore = StaticStore | VaultStore;

/** Keeps credentials that users enter. */
export interface StaticStore extends Resource {
  /** `csst_…`. */
  readonly id: string;
  readonly type: 'static';
  readonly projectId: string;
}

/** Reads credentials from a secrets server when a session is authorized. */
export interface VaultStore extends Resource {
  /** `csvlt_…`. */
  readonly id: string;
  readonly type: 'vault';
  readonly projectId: string;
  readonly connection: Connection;
  /** Keyed hashes, which show only whether a secret has changed; empty for an unset secret. */
  readonly fingerprints: { readonly token: string; readonly clientCertificateKey: string };
  /** The token in use, or the last one if it has expired or been revoked. */
  readonly token: StoreToken;
}

export const credentialStorePrefixes = { static: 'csst', vault: 'csvlt' } as const;
