import { resource } from '#operation/operation.ts';
import { inReplication } from '#shared/secrets/replication-change.ts';
import { addSecondary } from './add-secondary.ts';
import { compareClusters } from './compare-clusters.ts';
import { deleteLostWrites } from './delete-lost-writes.ts';
import { demotePrimary } from './demote.ts';
import { disablePrimary } from './disable-primary.ts';
import { disableSecondary } from './disable-secondary.ts';
import { enablePrimary } from './enable-primary.ts';
import { getLastKnownCluster } from './get-last-known.ts';
import { getClusterNodes } from './get-nodes.ts';
import { getReceivedFilter } from './get-received-filter.ts';
import { getReplicationStatus } from './get-status.ts';
import { listLostWrites } from './list-lost-writes.ts';
import { listReplicationTransitions } from './list-transitions.ts';
import { promoteSecondary } from './promote.ts';
import { updatePrimary } from './update-primary.ts';
import { writeCanary } from './write-canary.ts';

export const replicationOperations = resource(inReplication, {
  'replication.getStatus': getReplicationStatus,
  'replication.listTransitions': listReplicationTransitions,
  'replication.listLostWrites': listLostWrites,
  'replication.deleteLostWrites': deleteLostWrites,
  'replication.getLastKnown': getLastKnownCluster,
  'replication.compare': compareClusters,
  'replication.getNodes': getClusterNodes,
  'replication.getReceivedFilter': getReceivedFilter,
  'replication.writeCanary': writeCanary,
  'replication.enablePrimary': enablePrimary,
  'replication.demote': demotePrimary,
  'replication.disablePrimary': disablePrimary,
  'replication.disableSecondary': disableSecondary,
  'replication.promote': promoteSecondary,
  'replication.updatePrimary': updatePrimary,
  'replication.addSecondary': addSecondary,
});
