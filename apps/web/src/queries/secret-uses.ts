/** Where what the secrets server holds is used by the access controller. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';

/** A secret, or a cloud role, of an environment's secrets server. */
export type ReadPlace = { readonly environment: string; readonly mount: string } & (
  | { readonly path: string; readonly role?: never }
  | { readonly role: string; readonly path?: never }
);

/** The targets whose sources read a secret, or ask a cloud role; not asked where the access controller is not connected. */
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
