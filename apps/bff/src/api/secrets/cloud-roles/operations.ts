import { resource } from '#operation/operation.ts';
import { inCloud } from '#shared/secrets/cloud-calls.ts';
import { createCloudRole } from './create-cloud-role.ts';
import { deleteCloudRole } from './delete-cloud-role.ts';
import { getCloudRole } from './get-cloud-role.ts';
import { listCloudRoles } from './list-cloud-roles.ts';
import { updateCloudRole } from './update-cloud-role.ts';

export const cloudRoleOperations = resource(inCloud, {
  'cloudRoles.list': listCloudRoles,
  'cloudRoles.get': getCloudRole,
  'cloudRoles.create': createCloudRole,
  'cloudRoles.update': updateCloudRole,
  'cloudRoles.delete': deleteCloudRole,
});
