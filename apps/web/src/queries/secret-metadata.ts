/** Settings and custom metadata of secrets, and the settings of their engines. */
import * as at from '@gatehouse/api-types/console/addresses/secrets';
import type {
  SecretEngineFields,
  SecretMetadataChanges,
  SecretMetadataFields,
} from '@gatehouse/api-types/console/secret-metadata';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type Guard } from '#lib/api.ts';
import { secretMetadataQuery } from './secret-versions.ts';
import { staleSecret, type SecretPlace } from './secrets.ts';

/** All of it as it is to be; or what changes alone, which is another right. */
export type MetadataWrite =
  | { readonly mode: 'whole'; readonly fields: SecretMetadataFields }
  | { readonly mode: 'patch'; readonly changes: SecretMetadataChanges };

export function useWriteMetadata(place: SecretPlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ revision, decisions, ...write }: MetadataWrite & Guard) =>
      write.mode === 'whole'
        ? call(at.secretMetadata.update, { params: place, revision, decisions, body: write.fields })
        : call(at.secretMetadata.patch, { params: place, revision, decisions, body: write.changes }),
    onSuccess: (saved) => {
      staleSecret(queryClient, place);
      queryClient.setQueryData(secretMetadataQuery(place).queryKey, saved);
    },
  });
}

export interface EnginePlace {
  readonly environment: string;
  readonly mount: string;
}

const engineKey = ({ environment, mount }: EnginePlace) => [environment, 'secrets', 'engine', mount] as const;

export const secretEngineQuery = ({ environment, mount }: EnginePlace) =>
  queryOptions({
    queryKey: engineKey({ environment, mount }),
    queryFn: ({ signal }) => call(at.secretEngines.get, { params: { environment, mount }, signal }),
    staleTime: 15_000,
  });

export const secretEnginePoll = ({ environment, mount }: EnginePlace) => ({
  queryKey: engineKey({ environment, mount }),
  fetch: (context: { signal: AbortSignal; poll: boolean }) =>
    call(at.secretEngines.get, { params: { environment, mount }, ...context }),
});

export function useUpdateEngine({ environment, mount }: EnginePlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ fields, ...guard }: Guard & { fields: SecretEngineFields }) =>
      call(at.secretEngines.update, { params: { environment, mount }, ...guard, body: fields }),
    onSuccess: (saved) => {
      queryClient.setQueryData(engineKey({ environment, mount }), saved);
    },
  });
}
