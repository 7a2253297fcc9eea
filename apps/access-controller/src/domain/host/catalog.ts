import type { Resource } from '../resource.ts';

/** A static catalog: the hosts of a project that people list by hand, and sets of them. */
export interface HostCatalog extends Resource {
  /** `hcst_…`. */
  readonly id: string;
  readonly projectId: string;
}

/** Prefix of the ids of catalogs. */
export const hostCatalogPrefix = 'hcst';
