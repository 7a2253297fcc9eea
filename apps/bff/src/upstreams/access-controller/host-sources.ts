import type { Host, HostCatalog, HostSet } from '@gatehouse/api-types/console/host-sources';
import { host, hostCatalog, hostSet } from '@gatehouse/api-types/services/access-controller';
import { plainBodies } from './bodies.ts';
import { collection } from './collection.ts';
import { commonFieldsOf } from './record-wire.ts';

/** /v1/host-catalogs */
export const hostCatalogs = collection({
  kind: 'host-catalog',
  container: 'scope_id',
  path: 'host-catalogs',
  wire: hostCatalog,
  itemOf: (from): HostCatalog => ({
    ...commonFieldsOf(from),
    scope_id: from.scope_id || (from.scope?.id ?? ''),
    authorized_collection_actions: from.authorized_collection_actions,
  }),
  ...plainBodies<'hostCatalogs'>({ type: 'static' }),
});

/** /v1/host-sets */
export const hostSets = collection({
  kind: 'host-set',
  container: 'host_catalog_id',
  path: 'host-sets',
  wire: hostSet,
  itemOf: (from): HostSet => ({
    ...commonFieldsOf(from),
    host_catalog_id: from.host_catalog_id,
    host_ids: from.host_ids,
  }),
  ...plainBodies<'hostSets'>(),
});

/** /v1/hosts */
export const hosts = collection({
  kind: 'host',
  container: 'host_catalog_id',
  path: 'hosts',
  wire: host,
  itemOf: (from): Host => ({
    ...commonFieldsOf(from),
    host_catalog_id: from.host_catalog_id,
    attributes: { address: from.attributes?.address ?? '' },
    host_set_ids: from.host_set_ids,
  }),
  ...plainBodies<'hosts'>({ type: 'static' }),
});
