/** The output of cloud roles: credentials, which are never cached, and their leases. */
import * as at from '@gatehouse/api-types/console/addresses/cloud';
import type { CloudCredential, CredentialRequest } from '@gatehouse/api-types/console/cloud-credentials';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';

/** Identifies a role. */
export interface CloudRolePlace {
  readonly environment: string;
  /** Without its trailing slash. */
  readonly mount: string;
  readonly role: string;
}

const leasesKey = ({ environment, mount, role }: CloudRolePlace) =>
  [environment, 'secrets', 'cloud-leases', mount, role] as const;

/** The leases of a role; `items` is null if the user may not list them. */
export const cloudLeasesQuery = ({ environment, mount, role }: CloudRolePlace) =>
  queryOptions({
    queryKey: leasesKey({ environment, mount, role }),
    queryFn: ({ signal }) => call(at.cloudLeases.list, { params: { environment, mount, role }, signal }),
    staleTime: 10_000,
  });

/** Generates credentials for the caller to show once. Not a mutation, because a mutation would cache them. */
export function generateCredentials(
  { environment, mount, role }: CloudRolePlace,
  body: CredentialRequest,
): Promise<CloudCredential> {
  return call(at.cloudCredentials.generate, { params: { environment, mount, role }, body });
}

/** Renews the lease of an IAM user by `increment`, or by the server's default. */
export function useRenewLease(place: CloudRolePlace) {
  const renewed = useStaleLeases(place);
  return useMutation({
    mutationFn: (body: { lease_id: string; increment?: string }) =>
      call(at.cloudLeases.renew, { params: { ...place }, body }),
    onSettled: renewed,
  });
}

/** Revokes leases one by one, and returns the outcome of each. */
export function useRevokeLeases(place: CloudRolePlace) {
  const revoked = useStaleLeases(place);
  return useMutation({
    mutationFn: (lease_ids: readonly string[]) =>
      call(at.cloudLeases.revoke, { params: { ...place }, body: { lease_ids: [...lease_ids] } }),
    onSettled: revoked,
  });
}

/** Revokes all leases of a role, including those that aren't listed. */
export function useRevokeAllLeases(place: CloudRolePlace) {
  const revoked = useStaleLeases(place);
  return useMutation({
    mutationFn: () => call(at.cloudLeases.revokeAll, { params: { ...place } }),
    onSettled: revoked,
  });
}

/** Returns a function that invalidates the list of a role's leases. */
export function useStaleLeases(place: CloudRolePlace): () => void {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: leasesKey(place) });
  };
}
