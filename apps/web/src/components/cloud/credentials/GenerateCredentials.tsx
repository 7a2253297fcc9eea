import type { CloudEngine } from '@gatehouse/api-types/console/cloud-engines';
import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';

export interface GenerateCredentialsProps {
  environment: string;
  role: CloudRole;
  engine: CloudEngine;
}

export function GenerateCredentials(_: GenerateCredentialsProps): null {
  return null;
}
