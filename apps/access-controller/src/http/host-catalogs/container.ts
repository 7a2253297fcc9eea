import { hostCatalogPrefix } from '../../domain/host/catalog.ts';
import type { Container } from '../resource/kind.ts';

/** A host catalog as what holds host sets and hosts. */
export const inCatalog: Container = {
  field: 'host_catalog_id',
  prefix: hostCatalogPrefix,
  projectOf: (context, id) => context.hostCatalogs.get(id)?.projectId,
};
