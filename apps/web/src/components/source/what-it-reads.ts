/** The record of the environment's secrets server that a credential library reads, and its address. */
import type { CloudRoleReference, SecretReference } from '@gatehouse/api-types/console/targets';
import { cloudRoleHref } from '../places/cloud.ts';
import { fullName, secretHref } from '../places/secrets.ts';

export interface ReadByLibrary {
  readonly label: 'Secret' | 'Cloud role';
  readonly name: string;
  readonly href: string;
}

/** Undefined if it reads something else, or from another server. */
export function whatItReads(
  environment: string,
  {
    secret,
    cloud_role: role,
  }: { readonly secret?: SecretReference | undefined; readonly cloud_role?: CloudRoleReference | undefined },
): ReadByLibrary | undefined {
  if (secret !== undefined)
    return { label: 'Secret', name: fullName(secret), href: secretHref({ environment, ...secret }) };
  if (role !== undefined)
    return {
      label: 'Cloud role',
      name: `${role.mount}/${role.role}`,
      href: cloudRoleHref({ environment, ...role }),
    };
  return undefined;
}
