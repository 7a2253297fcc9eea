/** Boxes of the registry, with their versions and providers. One answer holds a whole box: its parts are read from it. */
import * as at from '@gatehouse/api-types/console/addresses/boxes';
import {
  architectureOf,
  compareVersions,
  imageKey,
  type boxOrders,
  type boxSorts,
  type ProviderImage,
} from '@gatehouse/api-types/console/box-values';
import type { Box, BoxVersion, Provider } from '@gatehouse/api-types/console/boxes';
import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { putAnswer } from '#lib/query-client.ts';

/** The names that lead to a box within an environment. */
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
  /** `unknown` where it was made without one. */
  readonly architecture: string;
}

/** One architecture of a provider of a version. */
export type ProviderAddress = Pick<ProviderPlace, 'provider' | 'architecture'>;

/** How a provider is addressed within its version. */
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

/** What is searched for; what is not given is as the registry has it. */
export interface BoxQuery {
  readonly q?: string;
  readonly provider?: string;
  readonly architecture?: string;
  readonly sort?: (typeof boxSorts)[number];
  readonly order?: (typeof boxOrders)[number];
  readonly page?: number;
}

/** Rows of a page of the search. */
const boxPageSize = 50;

const listsKey = (environment: string) => [environment, 'boxes', 'lists'] as const;
const boxKey = ({ environment, username, name }: BoxPlace) =>
  [environment, 'boxes', 'one', username, name] as const;

/** One page of a search. While another is loaded the page before stays. */
export const boxSearchQuery = (environment: string, query: BoxQuery) =>
  queryOptions({
    queryKey: [...listsKey(environment), 'search', query],
    queryFn: ({ signal }) =>
      call(at.boxes.search, { params: { environment }, query: { ...query, limit: boxPageSize }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });

/** As many as are read at a glance. */
const mostFound = 8;

/** The released boxes that were changed last. */
export const newestBoxesQuery = (environment: string) =>
  queryOptions({
    queryKey: [...listsKey(environment), 'newest'],
    queryFn: async ({ signal }) => {
      const query = { sort: 'updated', limit: mostFound } as const;
      return (await call(at.boxes.search, { params: { environment }, query, signal })).boxes;
    },
    staleTime: 10_000,
  });

/** A person or an organization with the boxes that may be seen. */
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

/** The names alone, though the place is one of something in the box. */
function paramsOf({ environment, username, name }: BoxPlace) {
  return { environment, username, name };
}

/** The box with one of its versions put in: in the place of `before`, where that is given. */
export function withVersion(box: Box, version: BoxVersion, before: string = version.version): Box {
  const others = box.versions.filter((item) => item.version !== before && item.version !== version.version);
  return {
    ...box,
    versions: [...others, version].toSorted((a, b) => compareVersions(b.version, a.version)),
  };
}

/**
 * The version with one of its providers put in: in the place of `before`, where that is given. One that is the default takes
 * that from the others of its name.
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

/** Reloads a box, and the lists that show something of it. */
export function staleBox(queryClient: QueryClient, place: BoxPlace): void {
  void queryClient.invalidateQueries({ queryKey: boxKey(place) });
  void queryClient.invalidateQueries({ queryKey: listsKey(place.environment) });
}

/** Puts a box that a write answered where the page shows it. */
export function keepBox(queryClient: QueryClient, environment: string, box: Box): void {
  putAnswer(queryClient, boxKey({ environment, username: box.username, name: box.name }), box);
  void queryClient.invalidateQueries({ queryKey: listsKey(environment) });
}

/** Puts a part of a box that a write answered into the box that the page shows, which is then reloaded. */
export function keepPart(queryClient: QueryClient, place: BoxPlace, change: (box: Box) => Box): void {
  queryClient.setQueryData<Box>(boxKey(place), (box) => box && change(box));
  staleBox(queryClient, place);
}

/** Takes a box that is known to be gone out of everything that the page shows. */
export function forgetBox(queryClient: QueryClient, place: BoxPlace): void {
  queryClient.removeQueries({ queryKey: boxKey(place) });
  void queryClient.invalidateQueries({ queryKey: listsKey(place.environment) });
}
