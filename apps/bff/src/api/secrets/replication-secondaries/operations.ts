import { resource } from '#operation/operation.ts';
import { inReplication } from '#shared/secrets/replication-change.ts';
import { createActivationToken } from './create-token.ts';
import { deleteReplicationFilter } from './delete-filter.ts';
import { getReplicationFilter } from './get-filter.ts';
import { previewReplicationFilter } from './preview-filter.ts';
import { revokeSecondary } from './revoke-secondary.ts';
import { saveReplicationFilter } from './save-filter.ts';

export const replicationSecondaryOperations = resource(inReplication, {
  'replicationSecondaries.createToken': createActivationToken,
  'replicationSecondaries.revoke': revokeSecondary,
  'replicationSecondaries.getFilter': getReplicationFilter,
  'replicationSecondaries.saveFilter': saveReplicationFilter,
  'replicationSecondaries.deleteFilter': deleteReplicationFilter,
  'replicationSecondaries.previewFilter': previewReplicationFilter,
});
