import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { collectionOperations } from '#shared/access/records.ts';
import { hosts } from '#upstreams/access-controller/host-sources.ts';

export const hostOperations = resource(inAccess, collectionOperations('hosts', hosts));
