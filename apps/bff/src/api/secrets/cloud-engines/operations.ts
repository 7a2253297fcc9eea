import { resource } from '#operation/operation.ts';
import { inCloud } from '#shared/secrets/cloud-calls.ts';
import { getCloudLease } from './get-cloud-lease.ts';
import { getCloudRoot } from './get-cloud-root.ts';
import { listCloudEngines } from './list-cloud-engines.ts';
import { mountCloudEngine } from './mount-cloud-engine.ts';
import { rotateCloudRoot } from './rotate-cloud-root.ts';
import { updateCloudLease } from './update-cloud-lease.ts';
import { updateCloudRoot } from './update-cloud-root.ts';

export const cloudEngineOperations = resource(inCloud, {
  'cloudEngines.list': listCloudEngines,
  'cloudEngines.mount': mountCloudEngine,
  'cloudEngines.getRoot': getCloudRoot,
  'cloudEngines.updateRoot': updateCloudRoot,
  'cloudEngines.rotateRoot': rotateCloudRoot,
  'cloudEngines.getLease': getCloudLease,
  'cloudEngines.updateLease': updateCloudLease,
});
