/** Every operation of the contract, by resource. */
import type { Operations } from '#operation/operation.ts';
import { credentialSourceOperations } from './access/credential-sources.ts';
import { hostSourceOperations } from './access/host-sources.ts';
import { peopleOperations } from './access/people/people.ts';
import { scopeOperations } from './access/scopes/scopes.ts';
import { accessSessionOperations } from './access/sessions/sessions.ts';
import { targetOperations } from './access/targets/targets.ts';
import { accountOperations } from './boxes/account/account.ts';
import { boxOperations } from './boxes/boxes/boxes.ts';
import { ownerOperations } from './boxes/owners.ts';
import { providerOperations } from './boxes/providers/providers.ts';
import { boxSettingsOperations } from './boxes/settings/settings.ts';
import { boxTokenOperations } from './boxes/tokens/tokens.ts';
import { twoFactorOperations } from './boxes/two-factor/two-factor.ts';
import { versionOperations } from './boxes/versions/versions.ts';
import { activityOperations } from './console/activity/activity.ts';
import { connectionOperations } from './console/connections/connections.ts';
import { preferenceOperations } from './console/preferences/preferences.ts';
import { searchOperations } from './console/search/search.ts';
import { sessionOperations } from './console/sessions/sessions.ts';
import { moduleOperations } from './modules/modules/modules.ts';
import { moduleArchiveOperations } from './modules/sent-archive.ts';
import { moduleTokenOperations } from './modules/tokens/tokens.ts';
import { moduleVersionOperations } from './modules/versions/versions.ts';
import { moveOperations } from './moves/moves.ts';
import { publishRunOperations } from './publish/runs/runs.ts';
import { publishUploadOperations } from './publish/uploads/uploads.ts';
import { cloudCredentialOperations } from './secrets/cloud-credentials/cloud-credentials.ts';
import { cloudEngineOperations } from './secrets/cloud-engines/cloud-engines.ts';
import { cloudLeaseOperations } from './secrets/cloud-leases/cloud-leases.ts';
import { cloudRoleOperations } from './secrets/cloud-roles/cloud-roles.ts';
import { secretEngineOperations } from './secrets/engines/engines.ts';
import { secretFolderOperations } from './secrets/folders/folders.ts';
import { secretMetadataOperations } from './secrets/metadata/metadata.ts';
import { pluginOperations } from './secrets/plugins/plugins.ts';
import { replicationSecondaryOperations } from './secrets/replication-secondaries/replication-secondaries.ts';
import { replicationOperations } from './secrets/replication/replication.ts';
import { secretOperations } from './secrets/secrets/secrets.ts';
import { secretTransferOperations } from './secrets/transfers/transfers.ts';
import { secretVersionOperations } from './secrets/versions/versions.ts';

export const operations: Operations = {
  ...credentialSourceOperations,
  ...hostSourceOperations,
  ...peopleOperations,
  ...scopeOperations,
  ...accessSessionOperations,
  ...targetOperations,
  ...accountOperations,
  ...boxOperations,
  ...ownerOperations,
  ...providerOperations,
  ...boxSettingsOperations,
  ...boxTokenOperations,
  ...twoFactorOperations,
  ...versionOperations,
  ...activityOperations((name) => byName.get(name)?.became),
  ...connectionOperations,
  ...preferenceOperations,
  ...searchOperations,
  ...sessionOperations,
  ...publishRunOperations,
  ...publishUploadOperations,
  ...moduleArchiveOperations,
  ...moduleOperations,
  ...moduleTokenOperations,
  ...moduleVersionOperations,
  ...moveOperations,
  ...cloudCredentialOperations,
  ...cloudEngineOperations,
  ...cloudLeaseOperations,
  ...cloudRoleOperations,
  ...pluginOperations,
  ...replicationOperations,
  ...replicationSecondaryOperations,
  ...secretEngineOperations,
  ...secretFolderOperations,
  ...secretMetadataOperations,
  ...secretOperations,
  ...secretTransferOperations,
  ...secretVersionOperations,
};

const byName = new Map(Object.entries(operations));
