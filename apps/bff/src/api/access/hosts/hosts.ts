import { resource } from '#operation/operation.ts';
import { hosts } from '#upstreams/access-controller/host-sources.ts';
import { inAccess } from '../caller.ts';
import { collectionOperations } from '../records.ts';

export const hostOperations = resource(inAccess, collectionOperations('hosts', hosts));
