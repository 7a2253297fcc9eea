import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { mountsQuery, type SecretPlace } from '#queries/secrets.ts';

export function useSecretPlace(): SecretPlace {
  const { id: environment } = useEnvironment();
  const { mount = '', _splat: path = '' } = useParams({ strict: false });
  return useMemo(() => ({ environment, mount, path }), [environment, mount, path]);
}

/**
 * Whether the engine in the address is known to be unversioned.
 * @param enabled whether to list the engines to find out
 */
export function useIsUnversioned(enabled = true): boolean {
  const { environment, mount } = useSecretPlace();
  const mounts = useQuery({ ...mountsQuery(environment), enabled });
  return mounts.data?.find(({ path }) => path === mount)?.version === 1;
}
