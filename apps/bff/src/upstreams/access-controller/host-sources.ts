import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { Host, HostCatalog, HostSet } from '@gatehouse/api-types/console/host-sources';
import type { BodyOf } from '@gatehouse/api-types/contract';
import { host, hostCatalog, hostSet } from '@gatehouse/api-types/services/access-controller';
import { newOf, patchOf } from './bodies.ts';
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
  creation: (fields: BodyOf<Endpoints['hostCatalogs']['create']>) => ({
    body: { type: 'static', ...newOf(fields) },
  }),
  change: (changes: BodyOf<Endpoints['hostCatalogs']['update']>, version) => ({
    body: patchOf(changes, version),
  }),
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
  creation: (fields: BodyOf<Endpoints['hostSets']['create']>) => ({ body: newOf(fields) }),
  change: (changes: BodyOf<Endpoints['hostSets']['update']>, version) => ({
    body: patchOf(changes, version),
  }),
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
  creation: (fields: BodyOf<Endpoints['hosts']['create']>) => ({
    body: { type: 'static', ...newOf(fields) },
  }),
  change: (changes: BodyOf<Endpoints['hosts']['update']>, version) => ({ body: patchOf(changes, version) }),
});
