/** Writing boxes, their versions and their providers. What a write answers is shown at once. */
import {
  createBox,
  createBoxProvider,
  createBoxVersion,
  deleteBox,
  deleteBoxProvider,
  deleteBoxVersion,
  getBox,
  prepareBoxDownload,
  releaseBoxVersion,
  revokeBoxVersion,
  updateBox,
  updateBoxProvider,
  updateBoxVersion,
} from '@gatehouse/api-types/console/box-operations';
import {
  type Box,
  type BoxChanges,
  type BoxFields,
  type BoxVersion,
  type Provider,
  type ProviderChanges,
  type ProviderFields,
  type VersionChanges,
  type VersionFields,
} from '@gatehouse/api-types/console/boxes';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { ApiError } from '#lib/api-error.ts';
import { call } from '#lib/api.ts';
import {
  boxQuery,
  forgetBox,
  keepBox,
  keepPart,
  staleBox,
  withProvider,
  withVersion,
  type BoxAddress,
  type BoxPlace,
  type ProviderPlace,
  type VersionPlace,
} from './boxes.ts';
import type { LifeCalls } from './records.ts';

export interface NewBox {
  readonly username: string;
  readonly fields: BoxFields;
}

export const boxes: LifeCalls<Box, NewBox, BoxChanges, BoxAddress> = {
  key: 'boxes',
  touches: [],
  cache: {
    keyOf: (environment, address) => boxQuery({ ...address, environment }).queryKey,
    keep: (queryClient, environment, box, before) => {
      keepBox(queryClient, environment, box);
      if (before !== undefined && before.name !== box.name)
        forgetBox(queryClient, { ...before, environment });
    },
    forget: (queryClient, environment, address) => {
      forgetBox(queryClient, { ...address, environment });
    },
  },
  get: (environment, { username, name }, context) =>
    call(getBox, { params: { environment, username, name }, ...context }),
  create: (environment, { username, fields }) =>
    call(createBox, { params: { environment, username }, body: fields }),
  update: (environment, { username, name }, revision, body) =>
    call(updateBox, { params: { environment, username, name }, revision, body }),
  remove: async (environment, { username, name }, revision) => {
    await call(deleteBox, { params: { environment, username, name }, revision });
  },
};

/** The versions of a box, by their numbers: they stand in the box, and a deleted one goes with its providers. */
export function boxVersions({
  environment,
  username,
  name,
}: BoxPlace): LifeCalls<BoxVersion, VersionFields, VersionChanges> {
  const place = { environment, username, name };
  return {
    key: 'box-versions',
    touches: [],
    cache: {
      keep: (queryClient, _, version, before) => {
        keepPart(queryClient, place, (box) => withVersion(box, version, before));
      },
      forget: (queryClient, _, gone) => {
        keepPart(queryClient, place, (box) => ({
          ...box,
          versions: box.versions.filter(({ version }) => version !== gone),
        }));
      },
    },
    get: async (_, version, context) =>
      partOf(
        (await call(getBox, { params: place, ...context })).versions,
        (item) => item.version === version,
      ),
    create: (_, body) => call(createBoxVersion, { params: place, body }),
    update: (_, version, revision, body) =>
      call(updateBoxVersion, { params: { ...place, version }, revision, body }),
    remove: async (_, version, revision) => {
      await call(deleteBoxVersion, { params: { ...place, version }, revision });
    },
  };
}

/** The providers of a version, by their names; a deleted one goes with its image. */
export function boxProviders({
  environment,
  username,
  name,
  version,
}: VersionPlace): LifeCalls<Provider, ProviderFields, ProviderChanges> {
  const place = { environment, username, name, version };
  const change = (queryClient: QueryClient, next: (version: BoxVersion) => BoxVersion): void => {
    keepPart(queryClient, place, (box) => ({
      ...box,
      versions: box.versions.map((item) => (item.version === version ? next(item) : item)),
    }));
  };
  return {
    key: 'box-providers',
    touches: [],
    cache: {
      keep: (queryClient, _, provider, before) => {
        change(queryClient, (item) => withProvider(item, provider, before));
      },
      forget: (queryClient, _, gone) => {
        change(queryClient, (item) => ({
          ...item,
          providers: item.providers.filter((provider) => provider.name !== gone),
        }));
      },
    },
    get: async (_, provider, context) => {
      const { versions } = await call(getBox, { params: { environment, username, name }, ...context });
      const { providers } = partOf(versions, (item) => item.version === version);
      return partOf(providers, (item) => item.name === provider);
    },
    create: (_, body) => call(createBoxProvider, { params: place, body }),
    update: (_, provider, revision, body) =>
      call(updateBoxProvider, { params: { ...place, provider }, revision, body }),
    remove: async (_, provider, revision) => {
      await call(deleteBoxProvider, { params: { ...place, provider }, revision });
    },
  };
}

/** @throws ApiError `not-found` where the box does not have it */
function partOf<Part>(parts: readonly Part[], isIt: (part: Part) => boolean): Part {
  const part = parts.find(isIt);
  if (part === undefined) throw new ApiError('not-found');
  return part;
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
        ? call(releaseBoxVersion, { params: place, revision })
        : call(revokeBoxVersion, { params: place, revision }),
    onSuccess: (saved) => {
      keepPart(queryClient, place, (box) => withVersion(box, saved));
    },
  });
}

/** An address for this browser to download an image from. A download counts: the box is loaded anew. */
export function usePrepareDownload(place: ProviderPlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(prepareBoxDownload, { params: place }),
    gcTime: 0,
    onSuccess: () => {
      staleBox(queryClient, place);
    },
  });
}
