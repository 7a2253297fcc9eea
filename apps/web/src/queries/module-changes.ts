/** Writes to the module registry: versions, their labels, tokens. The answers are shown at once. */
import * as at from '@gatehouse/api-types/console/addresses/modules';
import type {
  DeprecationFields,
  ModuleVersion,
  PublishFields,
  PublishPlace,
} from '@gatehouse/api-types/console/modules';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import {
  forgetModuleVersion,
  keepModule,
  keepModuleVersion,
  staleModule,
  type ModulePlace,
} from './modules.ts';

const tokensKey = (environment: string) => [environment, 'modules', 'tokens'] as const;

// Publishing

/** Checks an archive and reads its declarations. @param archive in base64 */
export function readArchive(environment: string, archive: string, signal: AbortSignal) {
  return call(at.moduleArchives.read, { params: { environment }, body: { archive }, signal });
}

export function usePublishModule(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    // A mutation keeps its variables, here the whole archive.
    gcTime: 0,
    mutationFn: ({ place, body }: { place: PublishPlace; body: PublishFields }) =>
      call(at.moduleVersions.publish, { params: { environment, ...place }, body }),
    // The version may exist even if the answer was lost.
    onSettled: (_version, _error, { place }) => {
      staleModule(queryClient, { environment, ...place });
    },
  });
}

// Existing versions

/** Identifies a version. */
export interface ModuleVersionPlace extends ModulePlace {
  readonly version: string;
}

/** Changes to a version. */
export function useVersionChanges({ environment, namespace, name, provider, version }: ModuleVersionPlace) {
  const queryClient = useQueryClient();
  const place = { environment, namespace, name, provider };
  const params = { ...place, version };
  const keep = (saved: ModuleVersion): ModuleVersion => {
    keepModuleVersion(queryClient, place, saved);
    return saved;
  };
  return {
    deprecate: async (revision: string, body: DeprecationFields): Promise<ModuleVersion> =>
      keep(await call(at.moduleVersions.deprecate, { params, revision, body })),
    restore: async (revision: string): Promise<ModuleVersion> =>
      keep(await call(at.moduleVersions.restore, { params, revision })),
    remove: (revision: string): Promise<void> => call(at.moduleVersions.delete, { params, revision }),
    /** Removes a deleted version from everything that the page shows. */
    forget: (): void => {
      forgetModuleVersion(queryClient, place, version);
    },
  };
}

/** Sets whether an administrator vouches for a module. */
export function useVerifyModule({ environment, namespace, name, provider }: ModulePlace) {
  const queryClient = useQueryClient();
  const place = { environment, namespace, name, provider };
  return useMutation({
    mutationFn: ({ revision, verified }: { revision: string; verified: boolean }) =>
      call(at.modules.verify, { params: place, revision, body: { verified } }),
    onSuccess: (module) => {
      keepModule(queryClient, environment, module);
    },
    onError: () => {
      staleModule(queryClient, place);
    },
  });
}

// Tokens

/** The user's tokens, without their values; null if the registry doesn't manage them. */
export const moduleTokensQuery = (environment: string) =>
  queryOptions({
    queryKey: tokensKey(environment),
    queryFn: async ({ signal }) =>
      (await call(at.moduleTokens.list, { params: { environment }, signal })).tokens,
    staleTime: 10_000,
  });

/** Creates a token. Only the caller has its value, and shows it once. */
export function useCreateModuleToken(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    // A mutation keeps its variables: the password is dropped at once.
    gcTime: 0,
    mutationFn: (body: { description: string; password: string }) =>
      call(at.moduleTokens.create, { params: { environment }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensKey(environment) }),
  });
}

export function useRevokeModuleToken(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(at.moduleTokens.revoke, { params: { environment, id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: tokensKey(environment) }),
  });
}
