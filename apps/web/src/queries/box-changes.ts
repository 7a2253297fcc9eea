/** Writes of boxes, versions and providers. The answers are shown at once. */
import * as at from '@gatehouse/api-types/console/addresses/boxes';
import type {
  Box,
  BoxChanges,
  BoxFields,
  BoxVersion,
  Provider,
  ProviderChanges,
  ProviderFields,
  VersionChanges,
  VersionFields,
} from '@gatehouse/api-types/console/boxes';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { ApiError } from '#lib/api-error.ts';
import { call } from '#lib/api.ts';
import {
  boxQuery,
  forgetBox,
  isAtAddress,
  keepBox,
  keepPart,
  staleBox,
  withProvider,
  withVersion,
  type BoxAddress,
  type BoxPlace,
  type ProviderAddress,
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
    call(at.boxes.get, { params: { environment, username, name }, ...context }),
  create: (environment, { username, fields }, decided) =>
    call(at.boxes.create, { params: { environment, username }, body: fields, ...decided }),
  update: (environment, { username, name }, guard, body) =>
    call(at.boxes.update, { params: { environment, username, name }, ...guard, body }),
  remove: {
    harm: at.boxes.delete.harm,
    run: (environment, { username, name }, revision) =>
      call(at.boxes.delete, { params: { environment, username, name }, revision }),
  },
};

/** The versions of a box, by number. They are cached in the box; deleting one deletes its providers. */
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
        (await call(at.boxes.get, { params: place, ...context })).versions,
        (item) => item.version === version,
      ),
    create: (_, body, decided) => call(at.boxVersions.create, { params: place, body, ...decided }),
    update: (_, version, guard, body) =>
      call(at.boxVersions.update, { params: { ...place, version }, ...guard, body }),
    remove: {
      harm: at.boxVersions.delete.harm,
      run: (_, version, revision) => call(at.boxVersions.delete, { params: { ...place, version }, revision }),
    },
  };
}

/** The providers of a version, by name and architecture. Deleting one deletes its image. */
export function boxProviders({
  environment,
  username,
  name,
  version,
}: VersionPlace): LifeCalls<Provider, ProviderFields, ProviderChanges, ProviderAddress> {
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
          providers: item.providers.filter((provider) => !isAtAddress(provider, gone)),
        }));
      },
    },
    get: async (_, address, context) => {
      const { versions } = await call(at.boxes.get, { params: { environment, username, name }, ...context });
      const { providers } = partOf(versions, (item) => item.version === version);
      return partOf(providers, (item) => isAtAddress(item, address));
    },
    create: (_, body, decided) => call(at.boxProviders.create, { params: place, body, ...decided }),
    update: (_, { provider, architecture }, guard, body) =>
      call(at.boxProviders.update, { params: { ...place, provider, architecture }, ...guard, body }),
    remove: {
      harm: at.boxProviders.delete.harm,
      run: (_, { provider, architecture }, revision) =>
        call(at.boxProviders.delete, { params: { ...place, provider, architecture }, revision }),
    },
  };
}

/** @throws ApiError `not-found` if the box doesn't have it */
function partOf<Part>(parts: readonly Part[], isIt: (part: Part) => boolean): Part {
  const part = parts.find(isIt);
  if (part === undefined) throw new ApiError('not-found');
  return part;
}

/** Releases a version, or revokes it permanently. */
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

/** Requests a download address for this browser. Reloads the box, because it counts downloads. */
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
