/** The versions of a secret and their actions. No values pass through here. */
import * as activityAt from '@gatehouse/api-types/console/addresses/activity';
import * as secretsAt from '@gatehouse/api-types/console/addresses/secrets';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { forgetSecret, staleSecret, type SecretPlace } from './secrets.ts';

const metadataKey = ({ environment, mount, path }: SecretPlace) =>
  [environment, 'secrets', 'metadata', mount, path] as const;

/** Settings and custom metadata of a secret, with its versions. */
export const secretMetadataQuery = (place: SecretPlace) =>
  queryOptions({
    queryKey: metadataKey(place),
    queryFn: ({ signal }) => call(secretsAt.secretMetadata.get, { params: place, signal }),
    staleTime: 10_000,
  });

/**
 * The last audit entries about a secret that the user may see: who wrote its versions.
 * @param during only entries of this time, for one version
 */
export const secretActivityQuery = (
  place: SecretPlace,
  during?: { readonly from: string; readonly to: string },
) =>
  queryOptions({
    queryKey: [...metadataKey(place), 'activity', during],
    queryFn: async ({ signal }) => {
      const page = await call(activityAt.activity.list, {
        params: { environment: place.environment },
        query: {
          service: 'secrets',
          kind: 'secret',
          resource_id: `${place.mount}/${place.path}`,
          outcome: 'succeeded',
          ...during,
          page_size: during === undefined ? 500 : 100,
        },
        signal,
      });
      return page.items;
    },
    staleTime: 30_000,
  });

/** Writes an older version's values as a new version. */
export function useRestoreVersion(place: SecretPlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ version, revision }: { version: number; revision: string }) =>
      call(secretsAt.secrets.restore, { params: place, revision, body: { version } }),
    onSuccess: () => {
      staleSecret(queryClient, place);
    },
  });
}

/** Deletes the newest version; it can be undeleted. */
export function useDeleteNewest(place: SecretPlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ revision }: { revision: string }) =>
      call(secretsAt.secrets.delete, { params: place, revision }),
    onSuccess: () => {
      staleSecret(queryClient, place);
    },
  });
}

const changes = {
  delete: secretsAt.secrets.deleteVersions,
  undelete: secretsAt.secrets.undeleteVersions,
  destroy: secretsAt.secrets.destroyVersions,
} as const;

/** Deletes, undeletes or permanently deletes versions: those of `createdTimes`, if given. */
export function useChangeVersions(change: keyof typeof changes) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({
      place,
      versions,
      createdTimes,
    }: {
      place: SecretPlace;
      versions: readonly number[];
      createdTimes?: readonly string[];
    }) =>
      call(changes[change], {
        params: place,
        body: {
          versions: [...versions],
          ...(createdTimes !== undefined && { created_times: [...createdTimes] }),
        },
      }),
    onSettled: (_, __, { place }) => {
      staleSecret(queryClient, place);
    },
  });
}

/** Deletes a secret permanently, with all versions and metadata. */
export function useDeleteForever(place: SecretPlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ revision }: { revision: string }) =>
      call(secretsAt.secrets.deleteForever, { params: place, revision }),
    onSuccess: () => {
      forgetSecret(queryClient, place);
    },
  });
}
