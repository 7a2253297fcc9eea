/** The secrets server: engines, folders, secrets. No values of secrets are cached here. */
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

/** Identifies a secret: `mount` without its trailing slash, and `path` below it. */
export interface SecretPlace {
  readonly environment: string;
  readonly mount: string;
  readonly path: string;
}

/** Rows that are loaded at once, then while scrolling. */
const firstRows = 500;
const nextRows = 5_000;

const enginesQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'secrets', 'mounts'],
    queryFn: ({ signal }) => call(at.secretEngines.list, { params: { environment }, signal }),
  });

/** The key-value engines that the user can see. */
export const mountsQuery = (environment: string) =>
  queryOptions({ ...enginesQuery(environment), select: ({ items }) => items });

/** Whether the user may mount an engine; null if the server doesn't report it. Asks no more than `mountsQuery`. */
export const mayMountQuery = (environment: string) =>
  queryOptions({ ...enginesQuery(environment), select: ({ may_mount: mayMount }) => mayMount });

export const mountingRefused =
  "Your policies don't let you mount engines. Ask an administrator of the secrets server.";

/** Mounts a key-value engine that keeps versions. */
export function useMountSecretEngine(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ mount, description }: { mount: string; description: string }) => {
      await call(at.secretEngines.mount, { params: { environment }, body: { mount, description } });
      return { mount };
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: enginesQuery(environment).queryKey }),
  });
}

const foldersKey = (environment: string, mount: string) => [environment, 'secrets', 'folder', mount] as const;

/** The names in a folder, in pages. `path` is empty for the engine itself. */
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

/** A secret without its values; its newest version by default. */
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
 * Reads a version with its values, or with only some fields; the audit trail records that. Never cached: the
 * caller keeps them in its own memory, only while they are shown.
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
 * Reloads everything that the page shows of a secret after a write, deletion or undeletion: other screens use
 * keys with the same prefix. Its folder is reloaded too.
 */
export function staleSecret(queryClient: QueryClient, place: SecretPlace): void {
  // Answers to requests from before the change would be outdated.
  void queryClient.cancelQueries({ queryKey: secretKey(place) });
  void queryClient.invalidateQueries({ queryKey: secretKey(place) });
  void queryClient.invalidateQueries({
    queryKey: [place.environment, 'secrets', 'metadata', place.mount, place.path],
  });
  staleFolder(queryClient, { ...place, path: folderOf(place.path) });
}

/** Reloads a folder and its parents, because a folder exists only as long as it contains something. */
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

/** Removes a deleted secret from the cache. */
export function forgetSecret(queryClient: QueryClient, place: SecretPlace): void {
  queryClient.removeQueries({ queryKey: secretKey(place) });
  queryClient.removeQueries({
    queryKey: [place.environment, 'secrets', 'metadata', place.mount, place.path],
  });
  staleFolder(queryClient, { ...place, path: folderOf(place.path) });
}

/** How a new version is written: with all fields, or only with those that change. */
export type WriteMode = 'whole' | 'patch';

// A mutation keeps its variables until it is collected: at once, because they hold values.
const forgetAtOnce = { gcTime: 0 } as const;

/** @param again whether it was deleted, and is to be created again */
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
      /** Whether the version was readable: if it has been deleted since, nothing is written. */
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

/** Compares a secret with the one at its path in another environment, given by its ID. */
export function useCompareEnvironments(place: SecretPlace) {
  return useMutation({
    mutationFn: (environment: string) =>
      call(at.secrets.compareEnvironments, { params: place, body: { environment } }),
  });
}

/** Compares which fields of which versions hold a value. */
export function useCompareSecret(place: SecretPlace) {
  return useMutation({
    ...forgetAtOnce,
    mutationFn: (value: string) => call(at.secrets.compare, { params: place, body: { value } }),
  });
}
