import type { Resource } from '../resource.ts';

/** A static credential store: the credentials of a project that people keep by hand. */
export interface CredentialStore extends Resource {
  /** `csst_…`. */
  readonly id: string;
  readonly projectId: string;
}

/** Prefix of the ids of credential stores. */
export const credentialStorePrefix = 'csst';
