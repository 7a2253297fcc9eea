import type { Resource } from '../resource.ts';
import type { Connection } from '../vault-store/connection.ts';
import type { StoreToken } from '../vault-store/token.ts';

/** Where a project's credentials come from. */
export type CredentialStore = StaticStore | VaultStore;

/** The credentials of a project that people keep by hand. */
export interface StaticStore extends Resource {
  /** `csst_…`. */
  readonly id: string;
  readonly type: 'static';
  readonly projectId: string;
}

/** A secrets server that is asked for credentials when a session is authorized. */
export interface VaultStore extends Resource {
  /** `csvlt_…`. */
  readonly id: string;
  readonly type: 'vault';
  readonly projectId: string;
  readonly connection: Connection;
  /** Tell whether a secret is the same as another time, and nothing else about it; empty for one that is not set. */
  readonly fingerprints: { readonly token: string; readonly clientCertificateKey: string };
  /** The token in use, or the one that was until it died. */
  readonly token: StoreToken;
}

/** Prefixes of the ids of credential stores. */
export const credentialStorePrefixes = { static: 'csst', vault: 'csvlt' } as const;
