import type { Module } from '@gatehouse/api-types/console/modules';
import { useQuery } from '@tanstack/react-query';
import { moduleQuery, moduleSearchQuery } from '#queries/modules.ts';

/** The registry's first module, which says where the registry is; undefined where none does. */
export function useSomeModule(environment: string): Module | undefined {
  // The first one may just have been published, or brought here.
  const found = useQuery({ ...moduleSearchQuery(environment, {}), staleTime: 0 });
  const first = found.data?.modules[0];
  const { namespace = '', name = '', provider = '' } = first ?? {};
  const module = useQuery({
    ...moduleQuery({ environment, namespace, name, provider }),
    enabled: first !== undefined,
  });
  return module.data;
}
