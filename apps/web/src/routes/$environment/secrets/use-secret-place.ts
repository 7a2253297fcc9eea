import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useEnvironment } from '#components/layout/use-environment.ts';
import type { SecretPlace } from '#queries/secrets.ts';

/** The secret or folder in the address. */
export function useSecretPlace(): SecretPlace {
  const { id: environment } = useEnvironment();
  const { mount = '', _splat: path = '' } = useParams({ strict: false });
  return useMemo(() => ({ environment, mount, path }), [environment, mount, path]);
}
