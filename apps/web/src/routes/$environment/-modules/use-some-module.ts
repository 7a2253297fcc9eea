import type { Module } from '@gatehouse/api-types/console/modules';
import { useQuery } from '@tanstack/react-query';
import { moduleQuery, moduleSearchQuery } from '#queries/modules.ts';

/** The registry's first module, which reports the registry's address; undefined if no module exists. */
export function useSomeModule(environment: string): Module | undefined {
  // It may just have been published or copied here.
  const found = useQuery({ ...moduleSearchQuery(environment, {}), staleTime: 0 });
  const first = found.data?.modules[0];
  const { namespace = '', name = '', provider = '' } = first ?? {};
  const module = useQuery({
    ...moduleQuery({ environment, namespace, name, provider }),
    enabled: first !== undefined,
  });
  return module.data;
}
