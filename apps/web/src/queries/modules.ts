/** Modules of the registry: their versions, their downloads, and the tokens that fetched them. */
import * as at from '@gatehouse/api-types/console/addresses/modules';
import type { Module, ModulesMay, ModuleSummary, ModuleVersion } from '@gatehouse/api-types/console/modules';
import { keepPreviousData, queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { putAnswer } from '#lib/query-client.ts';

/** Identifies a module. */
export interface ModulePlace {
  readonly environment: string;
  readonly namespace: string;
  readonly name: string;
  readonly provider: string;
}

/** A search. Omitted fields don't filter. */
export interface ModuleQuery {
  readonly q?: string;
  readonly namespace?: string;
  readonly provider?: string;
  readonly verified?: true;
  readonly deprecated?: boolean;
  readonly page?: number;
}

/** Rows per page. */
const modulePageSize = 50;
/** Modules that the overview shows. */
export const newestModules = 8;
/** Rows that the overview reads. */
const overviewSize = 100;

const listsKey = (environment: string) => [environment, 'modules', 'lists'] as const;
const moduleKey = ({ environment, namespace, name, provider }: ModulePlace) =>
  [environment, 'modules', 'one', namespace, name, provider] as const;
const versionKey = (place: ModulePlace, version: string) =>
  [...moduleKey(place), 'versions', version] as const;

/** A page of a search. The previous page stays while another loads. */
export const moduleSearchQuery = (environment: string, { page = 1, ...query }: ModuleQuery) =>
  queryOptions({
    queryKey: [...listsKey(environment), 'search', { ...query, page }],
    queryFn: async ({ signal }) => {
      const rows: ModuleSummary[] = [];
      let offset: number | null = (page - 1) * modulePageSize;
      let may: ModulesMay = null;
      // The registry may return fewer than requested: the rest of the page is requested too.
      do {
        const begin: number = offset;
        const answer: { modules: ModuleSummary[]; next_offset: number | null; may: ModulesMay } = await call(
          at.modules.search,
          {
            params: { environment },
            query: {
              ...wireFilters(query),
              ...(begin > 0 && { offset: begin }),
              limit: modulePageSize - rows.length,
            },
            signal,
          },
        );
        rows.push(...answer.modules);
        ({ may, next_offset: offset } = answer);
        if (offset !== null && offset <= begin) break;
      } while (offset !== null && rows.length < modulePageSize);
      return { modules: rows, more: offset !== null, may };
    },
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });

/** Returns a test whether a list row is the module of a place. */
export function isModuleAt(place: ModulePlace): (row: ModuleSummary) => boolean {
  return ({ namespace, name, provider }) =>
    namespace === place.namespace && name === place.name && provider === place.provider;
}

const none: readonly ModuleSummary[] = [];

/** The cached page of a search that contains a module, the most recent one; empty if none does. */
export function useListedModules(place: ModulePlace): readonly ModuleSummary[] {
  const queryClient = useQueryClient();
  const pages = queryClient
    .getQueryCache()
    .findAll({ queryKey: [...listsKey(place.environment), 'search'] })
    .toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt);
  for (const { queryKey } of pages) {
    const modules = queryClient.getQueryData<{ modules: readonly ModuleSummary[] }>(queryKey)?.modules;
    if (modules?.some(isModuleAt(place))) return modules;
  }
  return none;
}

function wireFilters({ verified, deprecated, ...rest }: Omit<ModuleQuery, 'page'>) {
  return {
    ...rest,
    ...(verified === true && { verified: 'true' as const }),
    ...(deprecated !== undefined && { deprecated: deprecated ? ('true' as const) : ('false' as const) }),
  };
}

/** The user's permissions at the registry. */
export const modulesMayQuery = (environment: string) =>
  queryOptions({
    queryKey: [...listsKey(environment), 'may'],
    queryFn: async ({ signal }) =>
      (await call(at.modules.search, { params: { environment }, query: { limit: 1 }, signal })).may,
    staleTime: 10_000,
    retry: false,
  });

/** The last published modules, among the first that the registry lists. */
export const newestModulesQuery = (environment: string) =>
  queryOptions({
    queryKey: [...listsKey(environment), 'newest'],
    queryFn: async ({ signal }) => {
      const query = { limit: overviewSize };
      const answer = await call(at.modules.search, { params: { environment }, query, signal });
      const newestFirst = answer.modules.toSorted((a, b) =>
        a.published_time < b.published_time ? 1 : a.published_time > b.published_time ? -1 : 0,
      );
      return { modules: newestFirst.slice(0, newestModules), isWhole: answer.next_offset === null };
    },
    staleTime: 10_000,
  });

export const moduleQuery = (place: ModulePlace) =>
  queryOptions({
    queryKey: moduleKey(place),
    queryFn: ({ signal }) => call(at.modules.get, { params: paramsOf(place), signal }),
    staleTime: 10_000,
  });

/** A version with the declarations in its archive. */
export const moduleVersionQuery = (place: ModulePlace, version: string) =>
  queryOptions({
    queryKey: versionKey(place, version),
    queryFn: ({ signal }) => call(at.moduleVersions.get, { params: { ...paramsOf(place), version }, signal }),
    staleTime: 10_000,
  });

/** The address of a version's archive for clients. Never cached, because it expires soon. */
export const moduleLocationQuery = (place: ModulePlace, version: string) =>
  queryOptions({
    queryKey: [...versionKey(place, version), 'location'],
    queryFn: ({ signal }) =>
      call(at.moduleVersions.locate, { params: { ...paramsOf(place), version }, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

export const moduleDownloadsQuery = (place: ModulePlace) =>
  queryOptions({
    queryKey: [...moduleKey(place), 'downloads'],
    queryFn: ({ signal }) => call(at.modules.downloads, { params: paramsOf(place), signal }),
    staleTime: 10_000,
  });

/** Tokens that fetched a module; null if the registry doesn't report them. */
export const moduleConsumersQuery = (place: ModulePlace) =>
  queryOptions({
    queryKey: [...moduleKey(place), 'consumers'],
    queryFn: async ({ signal }) =>
      (await call(at.modules.consumers, { params: paramsOf(place), signal })).consumers,
    staleTime: 10_000,
  });

/** Only the module's names, even for a place inside the module. */
function paramsOf({ environment, namespace, name, provider }: ModulePlace) {
  return { environment, namespace, name, provider };
}

/** Invalidates a module with its versions, and the lists that may show it. */
export function staleModule(queryClient: QueryClient, place: ModulePlace): void {
  void queryClient.invalidateQueries({ queryKey: moduleKey(place) });
  void queryClient.invalidateQueries({ queryKey: listsKey(place.environment) });
}

/** Caches the module that a write returned. */
export function keepModule(queryClient: QueryClient, environment: string, module: Module): void {
  const { namespace, name, provider } = module;
  putAnswer(queryClient, moduleKey({ environment, namespace, name, provider }), module);
  void queryClient.invalidateQueries({ queryKey: listsKey(environment) });
}

/** Caches the version that a write returned, and reloads its module. */
export function keepModuleVersion(
  queryClient: QueryClient,
  place: ModulePlace,
  version: ModuleVersion,
): void {
  putAnswer(queryClient, versionKey(place, version.version), version);
  void queryClient.invalidateQueries({ queryKey: moduleKey(place), exact: true });
  void queryClient.invalidateQueries({ queryKey: listsKey(place.environment) });
}

/** Removes a deleted version from everything that the page shows. */
export function forgetModuleVersion(queryClient: QueryClient, place: ModulePlace, version: string): void {
  queryClient.removeQueries({ queryKey: versionKey(place, version) });
  staleModule(queryClient, place);
}
