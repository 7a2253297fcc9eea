/** Where the access controller uses records of the secrets server. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';

/** A secret, a cloud role or a whole engine of an environment's secrets server. */
export type ReadPlace = { readonly environment: string; readonly mount: string } & (
  | { readonly path?: string; readonly role?: never }
  | { readonly role: string; readonly path?: never }
);

/** The targets with a source that reads a secret, or requests credentials of a cloud role, or uses an engine. */
export const targetsUsingSecretQuery = ({ environment, mount, path, role }: ReadPlace) =>
  queryOptions({
    queryKey: [
      environment,
      'access',
      'targets-using',
      role === undefined ? 'secret' : 'role',
      mount,
      path ?? role,
    ],
    queryFn: ({ signal }) =>
      call(at.credentialLibraries.targetsUsingSecret, {
        params: { environment },
        query: { mount, ...(path !== undefined && { path }), ...(role !== undefined && { role }) },
        signal,
      }),
    retry: false,
  });
