/** The secrets server: engines, folders, secrets. What is kept here holds no value of a secret. */
import * as at from '@gatehouse/api-types/console/addresses/secrets';
import type { SecretVersion } from '@gatehouse/api-types/console/secrets';
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { call, type Decided, type Guard } from '#lib/api.ts';
import { folderOf } from '#lib/folder-of.ts';

/** Where a secret is: `mount` without the slash at its end, `path` below it. */
export interface SecretPlace {
  readonly environment: string;
  readonly mount: string;
  readonly path: string;
}

/** The first rows come at once, the others as one scrolls. */
const firstRows = 500;
const nextRows = 5_000;

export const mountsQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'secrets', 'mounts'],
    queryFn: async ({ signal }) =>
      (await call(at.secretEngines.list, { params: { environment }, signal })).items,
  });

const foldersKey = (environment: string, mount: string) => [environment, 'secrets', 'folder', mount] as const;

/** The names in a folder, page by page. `path` is empty for the engine itself. */
export const folderQuery = ({ environment, mount, path }: SecretPlace) =>
  infiniteQueryOptions({
    queryKey: [...foldersKey(environment, mount), path],
    queryFn: ({ signal, pageParam }) =>
      call(at.secrets.listFolder, {
        params: { environment, mount },
        query: {
          ...(path !== '' && { path }),
          ...(pageParam !== '' && { after: pageParam }),
          page_size: pageParam === '' ? firstRows : nextRows,
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_after: next }) => next ?? null,
    staleTime: 15_000,
  });

export const capabilitiesQuery = ({ environment, mount, path }: SecretPlace) =>
  queryOptions({
    queryKey: [environment, 'secrets', 'may', mount, path],
    queryFn: async ({ signal }) => {
      const query = path === '' ? {} : { path };
      return (await call(at.secrets.getCapabilities, { params: { environment, mount }, query, signal })).may;
    },
    staleTime: 60_000,
  });

const secretKey = ({ environment, mount, path }: SecretPlace) =>
  [environment, 'secrets', 'one', mount, path] as const;

/** A secret without its values; without a version the newest. */
export const secretQuery = (place: SecretPlace, version?: number) =>
  queryOptions({
    queryKey: [...secretKey(place), version ?? 'newest'],
    queryFn: ({ signal }) =>
      call(at.secrets.get, {
        params: place,
        query: version === undefined ? {} : { version },
        signal,
      }),
    staleTime: 10_000,
  });

/**
 * One version with its values, or those of some fields alone, which the audit trail records. The caller keeps them in its own memory, for as long as
 * they are looked at: never in the cache of queries.
 */
export function readValues(
  place: SecretPlace,
  version?: number,
  fields?: readonly string[],
): Promise<SecretVersion> {
  return call(at.secrets.reveal, {
    params: place,
    body: { ...(version !== undefined && { version }), ...(fields !== undefined && { fields: [...fields] }) },
  });
}

/**
 * Reloads what the page shows of a secret, after it was written, deleted or undeleted; everything that other
 * screens keep about it has a key that begins alike. What the folder around it lists is reloaded too.
 */
export function staleSecret(queryClient: QueryClient, place: SecretPlace): void {
  // An answer that was asked for before the change would be of the time before it.
  void queryClient.cancelQueries({ queryKey: secretKey(place) });
  void queryClient.invalidateQueries({ queryKey: secretKey(place) });
  void queryClient.invalidateQueries({
    queryKey: [place.environment, 'secrets', 'metadata', place.mount, place.path],
  });
  staleFolder(queryClient, { ...place, path: folderOf(place.path) });
}

/** Lists a folder again, and those above it: a folder comes and goes with what it holds. */
export function staleFolder(queryClient: QueryClient, { environment, mount, path }: SecretPlace): void {
  void queryClient.invalidateQueries({
    queryKey: foldersKey(environment, mount),
    predicate: ({ queryKey }) => {
      const folder = queryKey.at(-1);
      return (
        typeof folder === 'string' && (folder === '' || folder === path || path.startsWith(`${folder}/`))
      );
    },
  });
}

/** Takes a secret that is gone out of what the page keeps. */
export function forgetSecret(queryClient: QueryClient, place: SecretPlace): void {
  queryClient.removeQueries({ queryKey: secretKey(place) });
  queryClient.removeQueries({
    queryKey: [place.environment, 'secrets', 'metadata', place.mount, place.path],
  });
  staleFolder(queryClient, { ...place, path: folderOf(place.path) });
}

/** How a new version is written: all fields as they are to be, or those alone that change. */
export type WriteMode = 'whole' | 'patch';

// A mutation keeps what it was called with until it is forgotten: at once, because values are in it.
const forgetAtOnce = { gcTime: 0 } as const;

/** @param how whether it was deleted, and is wanted again */
export function useCreateSecret({ again, decisions }: Decided & { again?: true } = {}) {
  const queryClient = useQueryClient();
  return useMutation({
    ...forgetAtOnce,
    mutationFn: ({ place, data }: { place: SecretPlace; data: string }) =>
      call(at.secrets.create, { params: place, decisions, body: { data, ...(again && { again }) } }),
    onSuccess: (_, { place }) => {
      staleSecret(queryClient, place);
    },
  });
}

export function useWriteSecret(place: SecretPlace) {
  const queryClient = useQueryClient();
  return useMutation({
    ...forgetAtOnce,
    mutationFn: ({
      mode,
      data,
      isReadable = false,
      ...guard
    }: Guard & {
      mode: WriteMode;
      data: string;
      /** Whether the version that was seen could be read: where it was deleted since, nothing is written. */
      isReadable?: boolean;
    }) =>
      call(mode === 'patch' ? at.secrets.patch : at.secrets.update, {
        params: place,
        ...guard,
        body: { data, ...(isReadable && { readable: true }) },
      }),
    onSuccess: () => {
      staleSecret(queryClient, place);
    },
  });
}

/** Which fields of which versions hold a value. */
export function useCompareSecret(place: SecretPlace) {
  return useMutation({
    ...forgetAtOnce,
    mutationFn: (value: string) => call(at.secrets.compare, { params: place, body: { value } }),
  });
}
