import { resource } from '#operation/operation.ts';
import { inCloud } from '#shared/secrets/cloud-calls.ts';
import { listCloudLeases } from './list-cloud-leases.ts';
import { renewCloudLease } from './renew-cloud-lease.ts';
import { revokeAllCloudLeases } from './revoke-all-cloud-leases.ts';
import { revokeCloudLeases } from './revoke-cloud-leases.ts';

export const cloudLeaseOperations = resource(inCloud, {
  'cloudLeases.list': listCloudLeases,
  'cloudLeases.renew': renewCloudLease,
  'cloudLeases.revoke': revokeCloudLeases,
  'cloudLeases.revokeAll': revokeAllCloudLeases,
});
