/** Where secrets are used by the access controller. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import type { SecretPlace } from './secrets.ts';

/** The targets whose sources read a secret; not asked where the access controller is not connected. */
export const targetsUsingSecretQuery = ({ environment, mount, path }: SecretPlace) =>
  queryOptions({
    queryKey: [environment, 'access', 'targets-using', 'secret', mount, path],
    queryFn: ({ signal }) =>
      call(at.credentialLibraries.targetsUsingSecret, {
        params: { environment },
        query: { mount, path },
        signal,
      }),
    retry: false,
  });
