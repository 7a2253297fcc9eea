/** Boxes of the registry. An answer holds a whole box; its versions and providers are read from it. */
import * as at from '@gatehouse/api-types/console/addresses/boxes';
import {
  architectureOf,
  newestFirst,
  imageKey,
  type boxOrders,
  type boxSorts,
  type ProviderImage,
} from '@gatehouse/api-types/console/box-values';
import type { Box, BoxVersion, Provider } from '@gatehouse/api-types/console/boxes';
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { putAnswer } from '#lib/query-client.ts';

/** Identifies a box within an environment. */
export interface BoxAddress {
  readonly username: string;
  readonly name: string;
}

export interface BoxPlace extends BoxAddress {
  readonly environment: string;
}

export interface VersionPlace extends BoxPlace {
  readonly version: string;
}

export interface ProviderPlace extends VersionPlace {
  readonly provider: string;
  /** `unknown` if the provider has none. */
  readonly architecture: string;
}

/** One architecture of a provider of a version. */
export type ProviderAddress = Pick<ProviderPlace, 'provider' | 'architecture'>;

/** The address of a provider within its version. */
export function addressOf(provider: ProviderImage): ProviderAddress {
  return { provider: provider.name, architecture: architectureOf(provider) };
}

/** Whether a provider is the one at an address. */
export function isAtAddress(
  provider: ProviderImage,
  { provider: name, architecture }: ProviderAddress,
): boolean {
  return imageKey(provider) === imageKey({ name, architecture });
}

/** A search. Omitted fields use the registry's defaults. */
export interface BoxQuery {
  readonly q?: string;
  readonly provider?: string;
  readonly architecture?: string;
  readonly sort?: (typeof boxSorts)[number];
  readonly order?: (typeof boxOrders)[number];
  readonly page?: number;
}

/** Rows per page. */
const boxPageSize = 50;

const listsKey = (environment: string) => [environment, 'boxes', 'lists'] as const;
const boxKey = ({ environment, username, name }: BoxPlace) =>
  [environment, 'boxes', 'one', username, name] as const;

/** A page of a search. The previous page stays while another loads. */
export const boxSearchQuery = (environment: string, query: BoxQuery) =>
  queryOptions({
    queryKey: [...listsKey(environment), 'search', query],
    queryFn: ({ signal }) =>
      call(at.boxes.search, { params: { environment }, query: { ...query, limit: boxPageSize }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });

/** The released boxes that changed last, and how many of them are read. */
export const newestBoxes = 100;
export const newestBoxesQuery = (environment: string) =>
  queryOptions({
    queryKey: [...listsKey(environment), 'newest'],
    queryFn: async ({ signal }) => {
      const query = { sort: 'updated', limit: newestBoxes } as const;
      return (await call(at.boxes.search, { params: { environment }, query, signal })).boxes;
    },
    staleTime: 10_000,
  });

/** A user or organization, with the boxes that the user may see. */
export const ownerQuery = (environment: string, username: string) =>
  queryOptions({
    queryKey: [...listsKey(environment), 'owner', username],
    queryFn: ({ signal }) => call(at.boxOwners.get, { params: { environment, username }, signal }),
    staleTime: 10_000,
  });

export const boxQuery = (place: BoxPlace) =>
  queryOptions({
    queryKey: boxKey(place),
    queryFn: ({ signal }) => call(at.boxes.get, { params: paramsOf(place), signal }),
    staleTime: 10_000,
  });

/** Downloads of a box by day; null if the registry doesn't report them. */
export const boxDownloadsQuery = (place: BoxPlace) =>
  queryOptions({
    queryKey: [...boxKey(place), 'downloads'],
    queryFn: async ({ signal }) =>
      (await call(at.boxes.downloads, { params: paramsOf(place), signal })).daily,
    staleTime: 60_000,
  });

/** Only the box's names, even for a place inside the box. */
function paramsOf({ environment, username, name }: BoxPlace) {
  return { environment, username, name };
}

/** The box with a version inserted, in place of `before` if given. */
export function withVersion(box: Box, version: BoxVersion, before: string = version.version): Box {
  const others = box.versions.filter((item) => item.version !== before && item.version !== version.version);
  return {
    ...box,
    versions: newestFirst([...others, version]),
  };
}

/**
 * The version with a provider inserted, in place of `before` if given. If it is the default, the others of
 * its name aren't any more.
 */
export function withProvider(
  version: BoxVersion,
  provider: Provider,
  before: ProviderAddress = addressOf(provider),
): BoxVersion {
  const others = version.providers
    .filter((other) => !isAtAddress(other, before) && imageKey(other) !== imageKey(provider))
    .map((other) =>
      other.name === provider.name && provider.is_default === true ? { ...other, is_default: false } : other,
    );
  return {
    ...version,
    providers: [...others, provider].toSorted((a, b) => {
      if (a.name !== b.name) return a.name < b.name ? -1 : 1;
      if (a.is_default !== b.is_default) return a.is_default === true ? -1 : 1;
      return architectureOf(a) < architectureOf(b) ? -1 : 1;
    }),
  };
}

/** Invalidates a box, and the lists that may show it. */
export function staleBox(queryClient: QueryClient, place: BoxPlace): void {
  void queryClient.invalidateQueries({ queryKey: boxKey(place) });
  void queryClient.invalidateQueries({ queryKey: listsKey(place.environment) });
}

/** Caches the box that a write returned. */
export function keepBox(queryClient: QueryClient, environment: string, box: Box): void {
  putAnswer(queryClient, boxKey({ environment, username: box.username, name: box.name }), box);
  void queryClient.invalidateQueries({ queryKey: listsKey(environment) });
}

/** Changes the cached box by the part that a write returned, then reloads the box. */
export function keepPart(queryClient: QueryClient, place: BoxPlace, change: (box: Box) => Box): void {
  queryClient.setQueryData<Box>(boxKey(place), (box) => box && change(box));
  staleBox(queryClient, place);
}

/** Removes a deleted box from everything that the page shows. */
export function forgetBox(queryClient: QueryClient, place: BoxPlace): void {
  queryClient.removeQueries({ queryKey: boxKey(place) });
  void queryClient.invalidateQueries({ queryKey: listsKey(place.environment) });
}
