/** Modules of the registry, what their versions hold, how often they are fetched and by whom. */
import * as at from '@gatehouse/api-types/console/addresses/modules';
import type { Module, ModulesMay, ModuleSummary, ModuleVersion } from '@gatehouse/api-types/console/modules';
import { keepPreviousData, queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { putAnswer } from '#lib/query-client.ts';

/** The names that lead to a module. */
export interface ModulePlace {
  readonly environment: string;
  readonly namespace: string;
  readonly name: string;
  readonly provider: string;
}

/** What is searched for; what is not given narrows nothing. */
export interface ModuleQuery {
  readonly q?: string;
  readonly namespace?: string;
  readonly provider?: string;
  readonly verified?: true;
  readonly deprecated?: boolean;
  readonly page?: number;
}

/** Rows of a page of the search. */
const modulePageSize = 50;
/** As many as are read at a glance. */
const mostFound = 8;
/** The overview looks at this many. */
const overviewSize = 100;

const listsKey = (environment: string) => [environment, 'modules', 'lists'] as const;
const moduleKey = ({ environment, namespace, name, provider }: ModulePlace) =>
  [environment, 'modules', 'one', namespace, name, provider] as const;
const versionKey = (place: ModulePlace, version: string) =>
  [...moduleKey(place), 'versions', version] as const;

/** One page of a search. While another is loaded the page before stays. */
export const moduleSearchQuery = (environment: string, { page = 1, ...query }: ModuleQuery) =>
  queryOptions({
    queryKey: [...listsKey(environment), 'search', { ...query, page }],
    queryFn: async ({ signal }) => {
      const rows: ModuleSummary[] = [];
      let offset: number | null = (page - 1) * modulePageSize;
      let may: ModulesMay = null;
      // A registry may give fewer than it was asked for: the next page begins after those that are missing.
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

/** Whether a row of a list is the module of a place. */
export function isModuleAt(place: ModulePlace): (row: ModuleSummary) => boolean {
  return ({ namespace, name, provider }) =>
    namespace === place.namespace && name === place.name && provider === place.provider;
}

const none: readonly ModuleSummary[] = [];

/** The page of a search that was looked at last and holds a module, as it was looked at; empty where none does. */
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

/** What the person may do at the registry. */
export const modulesMayQuery = (environment: string) =>
  queryOptions({
    queryKey: [...listsKey(environment), 'may'],
    queryFn: async ({ signal }) =>
      (await call(at.modules.search, { params: { environment }, query: { limit: 1 }, signal })).may,
    staleTime: 10_000,
    retry: false,
  });

/** The modules that were published last, among the first that the registry lists. */
export const newestModulesQuery = (environment: string) =>
  queryOptions({
    queryKey: [...listsKey(environment), 'newest'],
    queryFn: async ({ signal }) => {
      const query = { limit: overviewSize };
      const answer = await call(at.modules.search, { params: { environment }, query, signal });
      const newestFirst = answer.modules.toSorted((a, b) =>
        a.published_time < b.published_time ? 1 : a.published_time > b.published_time ? -1 : 0,
      );
      return { modules: newestFirst.slice(0, mostFound), isWhole: answer.next_offset === null };
    },
    staleTime: 10_000,
  });

export const moduleQuery = (place: ModulePlace) =>
  queryOptions({
    queryKey: moduleKey(place),
    queryFn: ({ signal }) => call(at.modules.get, { params: paramsOf(place), signal }),
    staleTime: 10_000,
  });

/** A version with what its archive declares. */
export const moduleVersionQuery = (place: ModulePlace, version: string) =>
  queryOptions({
    queryKey: versionKey(place, version),
    queryFn: ({ signal }) => call(at.moduleVersions.get, { params: { ...paramsOf(place), version }, signal }),
    staleTime: 10_000,
  });

/** Where clients fetch the archive of a version: asked anew each time, because such addresses are short-lived. */
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

/** Tokens that fetched a module; null where the registry does not tell. */
export const moduleConsumersQuery = (place: ModulePlace) =>
  queryOptions({
    queryKey: [...moduleKey(place), 'consumers'],
    queryFn: async ({ signal }) =>
      (await call(at.modules.consumers, { params: paramsOf(place), signal })).consumers,
    staleTime: 10_000,
  });

/** The names alone, though the place is one of something in the module. */
function paramsOf({ environment, namespace, name, provider }: ModulePlace) {
  return { environment, namespace, name, provider };
}

/** Reloads a module with its versions, and the lists that show something of it. */
export function staleModule(queryClient: QueryClient, place: ModulePlace): void {
  void queryClient.invalidateQueries({ queryKey: moduleKey(place) });
  void queryClient.invalidateQueries({ queryKey: listsKey(place.environment) });
}

/** Puts a module that a write answered where the page shows it. */
export function keepModule(queryClient: QueryClient, environment: string, module: Module): void {
  const { namespace, name, provider } = module;
  putAnswer(queryClient, moduleKey({ environment, namespace, name, provider }), module);
  void queryClient.invalidateQueries({ queryKey: listsKey(environment) });
}

/** Puts a version that a write answered where the page shows it; the module around it is reloaded. */
export function keepModuleVersion(
  queryClient: QueryClient,
  place: ModulePlace,
  version: ModuleVersion,
): void {
  putAnswer(queryClient, versionKey(place, version.version), version);
  void queryClient.invalidateQueries({ queryKey: moduleKey(place), exact: true });
  void queryClient.invalidateQueries({ queryKey: listsKey(place.environment) });
}

/** Takes a version that is known to be gone out of what the page shows. */
export function forgetModuleVersion(queryClient: QueryClient, place: ModulePlace, version: string): void {
  queryClient.removeQueries({ queryKey: versionKey(place, version) });
  staleModule(queryClient, place);
}
