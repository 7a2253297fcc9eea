/** Every operation of the contract, resource by resource. */
import type { Operations } from '#operation/operation.ts';
import { credentialLibraryOperations } from './access/credential-libraries/operations.ts';
import { credentialStoreOperations } from './access/credential-stores/operations.ts';
import { credentialOperations } from './access/credentials/operations.ts';
import { hostCatalogOperations } from './access/host-catalogs/operations.ts';
import { hostSetOperations } from './access/host-sets/operations.ts';
import { hostOperations } from './access/hosts/operations.ts';
import { peopleOperations } from './access/people/operations.ts';
import { scopeOperations } from './access/scopes/operations.ts';
import { accessSessionOperations } from './access/sessions/operations.ts';
import { targetOperations } from './access/targets/operations.ts';
import { accountOperations } from './boxes/account/operations.ts';
import { boxOperations } from './boxes/boxes/operations.ts';
import { memberOperations } from './boxes/members/operations.ts';
import { organizationOperations } from './boxes/organizations/operations.ts';
import { ownerOperations } from './boxes/owners/operations.ts';
import { providerOperations } from './boxes/providers/operations.ts';
import { boxSettingsOperations } from './boxes/settings/operations.ts';
import { boxTokenOperations } from './boxes/tokens/operations.ts';
import { twoFactorOperations } from './boxes/two-factor/operations.ts';
import { versionOperations } from './boxes/versions/operations.ts';
import { activityOperations } from './console/activity/operations.ts';
import { connectionOperations } from './console/connections/operations.ts';
import { preferenceOperations } from './console/preferences/operations.ts';
import { sessionOperations } from './console/sessions/operations.ts';
import { moduleArchiveOperations } from './modules/archives/operations.ts';
import { moduleOperations } from './modules/modules/operations.ts';
import { moduleTokenOperations } from './modules/tokens/operations.ts';
import { moduleVersionOperations } from './modules/versions/operations.ts';
import { moveOperations } from './moves/operations.ts';
import { publishRunOperations } from './publish/runs/operations.ts';
import { publishUploadOperations } from './publish/uploads/operations.ts';
import { cloudCredentialOperations } from './secrets/cloud-credentials/operations.ts';
import { cloudEngineOperations } from './secrets/cloud-engines/operations.ts';
import { cloudLeaseOperations } from './secrets/cloud-leases/operations.ts';
import { cloudRoleOperations } from './secrets/cloud-roles/operations.ts';
import { secretEngineOperations } from './secrets/engines/operations.ts';
import { secretFolderOperations } from './secrets/folders/operations.ts';
import { secretMetadataOperations } from './secrets/metadata/operations.ts';
import { pluginOperations } from './secrets/plugins/operations.ts';
import { replicationSecondaryOperations } from './secrets/replication-secondaries/operations.ts';
import { replicationOperations } from './secrets/replication/operations.ts';
import { secretOperations } from './secrets/secrets/operations.ts';
import { secretTransferOperations } from './secrets/transfers/operations.ts';
import { secretVersionOperations } from './secrets/versions/operations.ts';

export const operations: Operations = {
  ...credentialLibraryOperations,
  ...credentialStoreOperations,
  ...credentialOperations,
  ...hostCatalogOperations,
  ...hostSetOperations,
  ...hostOperations,
  ...peopleOperations,
  ...scopeOperations,
  ...accessSessionOperations,
  ...targetOperations,
  ...accountOperations,
  ...boxOperations,
  ...memberOperations,
  ...organizationOperations,
  ...ownerOperations,
  ...providerOperations,
  ...boxSettingsOperations,
  ...boxTokenOperations,
  ...twoFactorOperations,
  ...versionOperations,
  ...activityOperations((name) => byName.get(name)?.became),
  ...connectionOperations,
  ...preferenceOperations,
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
