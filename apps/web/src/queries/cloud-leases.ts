/** What cloud roles issue: credentials, which are kept nowhere, and their leases. */
import * as at from '@gatehouse/api-types/console/addresses/cloud';
import type { CloudCredential, CredentialRequest } from '@gatehouse/api-types/console/cloud-credentials';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';

/** The names that lead to a role. */
export interface CloudRolePlace {
  readonly environment: string;
  /** Without the slash at its end. */
  readonly mount: string;
  readonly role: string;
}

const leasesKey = ({ environment, mount, role }: CloudRolePlace) =>
  [environment, 'secrets', 'cloud-leases', mount, role] as const;

/** The leases of what a role issued; `items` is null where the person may not list them. */
export const cloudLeasesQuery = ({ environment, mount, role }: CloudRolePlace) =>
  queryOptions({
    queryKey: leasesKey({ environment, mount, role }),
    queryFn: ({ signal }) => call(at.cloudLeases.list, { params: { environment, mount, role }, signal }),
    staleTime: 10_000,
  });

/** Generates credentials. They are the caller's to show once: no cache holds them, as it would an answer of a mutation. */
export function generateCredentials(
  { environment, mount, role }: CloudRolePlace,
  body: CredentialRequest,
): Promise<CloudCredential> {
  return call(at.cloudCredentials.generate, { params: { environment, mount, role }, body });
}

/** Renews the lease of an IAM user, by `increment` or by what the server gives. */
export function useRenewLease(place: CloudRolePlace) {
  const renewed = useStaleLeases(place);
  return useMutation({
    mutationFn: (body: { lease_id: string; increment?: string }) =>
      call(at.cloudLeases.renew, { params: { ...place }, body }),
    onSettled: renewed,
  });
}

/** Revokes leases one by one, and answers what became of each. */
export function useRevokeLeases(place: CloudRolePlace) {
  const revoked = useStaleLeases(place);
  return useMutation({
    mutationFn: (lease_ids: readonly string[]) =>
      call(at.cloudLeases.revoke, { params: { ...place }, body: { lease_ids: [...lease_ids] } }),
    onSettled: revoked,
  });
}

/** Revokes every lease of a role, also those beyond what is listed. */
export function useRevokeAllLeases(place: CloudRolePlace) {
  const revoked = useStaleLeases(place);
  return useMutation({
    mutationFn: () => call(at.cloudLeases.revokeAll, { params: { ...place } }),
    onSettled: revoked,
  });
}

/** Has the list of a role's leases read again, now or when it is shown next. */
export function useStaleLeases(place: CloudRolePlace): () => void {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: leasesKey(place) });
  };
}
