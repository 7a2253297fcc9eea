import type { Resource } from '../resource.ts';

/** A static catalog: a project's manually listed hosts, and its host sets. */
export interface HostCatalog extends Resource {
  /** `hcst_…`. */
  readonly id: string;
  readonly projectId: string;
}

export const hostCatalogPrefix = 'hcst';
