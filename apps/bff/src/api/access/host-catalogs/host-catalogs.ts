import { resource } from '#operation/operation.ts';
import { hostCatalogs } from '#upstreams/access-controller/host-sources.ts';
import { inAccess } from '../caller.ts';
import { collectionOperations } from '../records.ts';

export const hostCatalogOperations = resource(inAccess, collectionOperations('hostCatalogs', hostCatalogs));
