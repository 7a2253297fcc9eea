/** Settings and custom metadata of secrets, and the settings of their engines. */
import * as at from '@gatehouse/api-types/console/addresses/secrets';
import type {
  SecretEngine,
  SecretEngineChanges,
  SecretMetadata,
  SecretMetadataChanges,
  SecretMetadataFields,
} from '@gatehouse/api-types/console/secret-metadata';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { putAnswer } from '#lib/query-client.ts';
import { recordQuery } from './record-life.ts';
import type { LifeCalls } from './records.ts';
import { secretMetadataQuery } from './secret-versions.ts';
import { forgetSecret, staleSecret, type SecretPlace } from './secrets.ts';

/** Identifies a secret within an environment. */
export type SecretAddress = Omit<SecretPlace, 'environment'>;

/** All fields, or only changes: the two need different permissions. */
export type MetadataWrite =
  | { readonly mode: 'whole'; readonly fields: SecretMetadataFields }
  | { readonly mode: 'patch'; readonly changes: SecretMetadataChanges };

/** Metadata of secrets, addressed by mount and path. */
export const metadataOfSecrets: LifeCalls<SecretMetadata, never, MetadataWrite, SecretAddress> = {
  key: 'secret-metadata',
  touches: [],
  cache: {
    keyOf: (environment, address) => secretMetadataQuery({ ...address, environment }).queryKey,
    keep: (queryClient, environment, metadata) => {
      const place = { environment, mount: metadata.mount, path: metadata.path };
      staleSecret(queryClient, place);
      void queryClient.invalidateQueries({ queryKey: secretDatesQuery(environment).queryKey });
      putAnswer(queryClient, secretMetadataQuery(place).queryKey, metadata);
    },
    forget: (queryClient, environment, address) => {
      forgetSecret(queryClient, { ...address, environment });
    },
  },
  get: (environment, { mount, path }, context) =>
    call(at.secretMetadata.get, { params: { environment, mount, path }, ...context }),
  update: (environment, { mount, path }, guard, write) => {
    const params = { environment, mount, path };
    return write.mode === 'whole'
      ? call(at.secretMetadata.update, { params, ...guard, body: write.fields })
      : call(at.secretMetadata.patch, { params, ...guard, body: write.changes });
  },
};

/** Secrets that have expired, are due for rotation, or will be within 30 days. */
export const secretDatesQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'secret-metadata', 'dates'],
    queryFn: ({ signal }) => call(at.secretMetadata.listDates, { params: { environment }, signal }),
    staleTime: 60_000,
  });

export interface EnginePlace {
  readonly environment: string;
  readonly mount: string;
}

/** Settings of engines, addressed by mount. */
export const secretEngines: LifeCalls<SecretEngine, never, SecretEngineChanges> = {
  key: 'secret-engines',
  touches: [],
  cache: {
    keyOf: engineKey,
    keep: (queryClient, environment, engine) => {
      putAnswer(queryClient, engineKey(environment, engine.mount), engine);
      // The list shows the description.
      void queryClient.invalidateQueries({ queryKey: [environment, 'secrets', 'mounts'] });
    },
    forget: (queryClient, environment, mount) => {
      queryClient.removeQueries({ queryKey: engineKey(environment, mount) });
      void queryClient.invalidateQueries({ queryKey: [environment, 'secrets'] });
    },
  },
  get: (environment, mount, context) =>
    call(at.secretEngines.get, { params: { environment, mount }, ...context }),
  update: (environment, mount, guard, body) =>
    call(at.secretEngines.update, { params: { environment, mount }, ...guard, body }),
  remove: {
    harm: at.secretEngines.unmount.harm,
    run: (environment, mount, revision) =>
      call(at.secretEngines.unmount, { params: { environment, mount }, revision }),
  },
};

export const secretEngineQuery = ({ environment, mount }: EnginePlace) =>
  recordQuery(secretEngines, environment, mount);

function engineKey(environment: string, mount: string) {
  return [environment, 'secrets', 'engine', mount] as const;
}
