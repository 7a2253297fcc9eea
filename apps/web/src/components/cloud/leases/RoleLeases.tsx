import type { CloudEngine } from '@gatehouse/api-types/console/cloud-engines';
import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';

export interface RoleLeasesProps {
  environment: string;
  role: CloudRole;
  engine: CloudEngine;
}

export function RoleLeases(_: RoleLeasesProps): null {
  return null;
}
