import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';

export interface EffectivePermissionsProps {
  role: CloudRole;
}

export function EffectivePermissions(_: EffectivePermissionsProps): null {
  return null;
}
