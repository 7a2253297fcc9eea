import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { collectionOperations } from '#shared/access/records.ts';
import { hostCatalogs } from '#upstreams/access-controller/host-sources.ts';

export const hostCatalogOperations = resource(inAccess, collectionOperations('hostCatalogs', hostCatalogs));
