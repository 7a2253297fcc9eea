import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { collectionOperations } from '#shared/access/records.ts';
import { hostSets } from '#upstreams/access-controller/host-sources.ts';
import { changeHostSetHosts } from './change-host-set-hosts.ts';
import { searchHostSources } from './search-host-sources.ts';

export const hostSetOperations = resource(inAccess, {
  ...collectionOperations('hostSets', hostSets),
  'hostSets.changeHosts': changeHostSetHosts,
  'hostSets.search': searchHostSources,
});
