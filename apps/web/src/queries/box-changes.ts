/** Writing boxes, their versions and their providers. What a write answers is shown at once. */
import * as at from '@gatehouse/api-types/console/addresses/boxes';
import type {
  BoxChanges,
  BoxFields,
  BoxVersion,
  ProviderChanges,
  ProviderFields,
  VersionChanges,
  VersionFields,
} from '@gatehouse/api-types/console/boxes';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type Decided, type Guard } from '#lib/api.ts';
import {
  forgetBox,
  keepBox,
  keepPart,
  staleBox,
  withProvider,
  withVersion,
  type BoxPlace,
  type ProviderPlace,
  type VersionPlace,
} from './boxes.ts';

interface Change<Fields> extends Guard {
  readonly changes: Fields;
}

/** @param decided as `useCreateRecord` */
export function useCreateBox(environment: string, decided?: Decided) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ username, fields }: { username: string; fields: BoxFields }) =>
      call(at.boxes.create, { params: { environment, username }, body: fields, ...decided }),
    onSuccess: (box) => {
      keepBox(queryClient, environment, box);
    },
  });
}

export function useUpdateBox({ environment, username, name }: BoxPlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ changes, ...guard }: Change<BoxChanges>) =>
      call(at.boxes.update, { params: { environment, username, name }, ...guard, body: changes }),
    onSuccess: (box) => {
      keepBox(queryClient, environment, box);
      if (box.name !== name) forgetBox(queryClient, { environment, username, name });
    },
  });
}

export function useDeleteBox({ environment, username, name }: BoxPlace) {
  const queryClient = useQueryClient();
  const place = { environment, username, name };
  return useMutation({
    mutationFn: (revision: string) => call(at.boxes.delete, { params: place, revision }),
    onSuccess: () => {
      forgetBox(queryClient, place);
    },
  });
}

/** @param decided as `useCreateRecord` */
export function useCreateVersion({ environment, username, name }: BoxPlace, decided?: Decided) {
  const queryClient = useQueryClient();
  const place = { environment, username, name };
  return useMutation({
    mutationFn: (fields: VersionFields) =>
      call(at.boxVersions.create, { params: place, body: fields, ...decided }),
    onSuccess: (version) => {
      keepPart(queryClient, place, (box) => withVersion(box, version));
    },
  });
}

export function useUpdateVersion({ environment, username, name, version }: VersionPlace) {
  const queryClient = useQueryClient();
  const place = { environment, username, name, version };
  return useMutation({
    mutationFn: ({ changes, ...guard }: Change<VersionChanges>) =>
      call(at.boxVersions.update, { params: place, ...guard, body: changes }),
    onSuccess: (saved) => {
      keepPart(queryClient, place, (box) => withVersion(box, saved, version));
    },
  });
}

/** Deletes the version with its providers. */
export function useDeleteVersion({ environment, username, name, version }: VersionPlace) {
  const queryClient = useQueryClient();
  const place = { environment, username, name, version };
  return useMutation({
    mutationFn: (revision: string) => call(at.boxVersions.delete, { params: place, revision }),
    onSuccess: () => {
      keepPart(queryClient, place, (box) => ({
        ...box,
        versions: box.versions.filter((item) => item.version !== version),
      }));
    },
  });
}

/** Releases a version, or revokes one for good. */
export function useMoveVersion(
  { environment, username, name, version }: VersionPlace,
  move: 'release' | 'revoke',
) {
  const queryClient = useQueryClient();
  const place = { environment, username, name, version };
  return useMutation({
    mutationFn: (revision: string): Promise<BoxVersion> =>
      move === 'release'
        ? call(at.boxVersions.release, { params: place, revision })
        : call(at.boxVersions.revoke, { params: place, revision }),
    onSuccess: (saved) => {
      keepPart(queryClient, place, (box) => withVersion(box, saved));
    },
  });
}

/** @param decided as `useCreateRecord` */
export function useCreateProvider({ environment, username, name, version }: VersionPlace, decided?: Decided) {
  const queryClient = useQueryClient();
  const place = { environment, username, name, version };
  return useMutation({
    mutationFn: (fields: ProviderFields) =>
      call(at.boxProviders.create, { params: place, body: fields, ...decided }),
    onSuccess: (provider) => {
      keepPart(queryClient, place, (box) => ({
        ...box,
        versions: box.versions.map((item) =>
          item.version === version ? withProvider(item, provider) : item,
        ),
      }));
    },
  });
}

export function useUpdateProvider(place: ProviderPlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ changes, ...guard }: Change<ProviderChanges>) =>
      call(at.boxProviders.update, { params: place, ...guard, body: changes }),
    onSuccess: (provider) => {
      keepPart(queryClient, place, (box) => ({
        ...box,
        versions: box.versions.map((item) =>
          item.version === place.version ? withProvider(item, provider, place.provider) : item,
        ),
      }));
    },
  });
}

/** Deletes the provider with its image. */
export function useDeleteProvider(place: ProviderPlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (revision: string) => call(at.boxProviders.delete, { params: place, revision }),
    onSuccess: () => {
      keepPart(queryClient, place, (box) => ({
        ...box,
        versions: box.versions.map((item) =>
          item.version === place.version
            ? { ...item, providers: item.providers.filter(({ name }) => name !== place.provider) }
            : item,
        ),
      }));
    },
  });
}

/** An address for this browser to download an image from. A download counts: the box is loaded anew. */
export function usePrepareDownload(place: ProviderPlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(at.boxProviders.prepareDownload, { params: place }),
    gcTime: 0,
    onSuccess: () => {
      staleBox(queryClient, place);
    },
  });
}
