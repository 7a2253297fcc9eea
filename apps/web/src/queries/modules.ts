/** Modules of the registry, with their versions. */
import * as at from '@gatehouse/api-types/console/addresses/modules';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#lib/api.ts';

/** The names that lead to a module within an environment. */
export interface ModuleAddress {
  readonly namespace: string;
  readonly name: string;
  readonly provider: string;
}

export interface ModulePlace extends ModuleAddress {
  readonly environment: string;
}

export interface ModuleVersionPlace extends ModulePlace {
  readonly version: string;
}

const moduleKey = ({ environment, namespace, name, provider }: ModulePlace) =>
  [environment, 'modules', 'one', namespace, name, provider] as const;

/** A module with the numbers of its versions. */
export const moduleQuery = ({ environment, namespace, name, provider }: ModulePlace) =>
  queryOptions({
    queryKey: [...moduleKey({ environment, namespace, name, provider }), 'module'],
    queryFn: ({ signal }) =>
      call(at.modules.get, { params: { environment, namespace, name, provider }, signal }),
    staleTime: 10_000,
  });

/** A version with what its archive declares. */
export const moduleVersionQuery = ({ environment, namespace, name, provider, version }: ModuleVersionPlace) =>
  queryOptions({
    queryKey: [...moduleKey({ environment, namespace, name, provider }), 'version', version],
    queryFn: ({ signal }) =>
      call(at.moduleVersions.get, { params: { environment, namespace, name, provider, version }, signal }),
    staleTime: 10_000,
  });

/** Which tokens fetched a module; null where the registry does not tell. */
export const moduleConsumersQuery = ({ environment, namespace, name, provider }: ModulePlace) =>
  queryOptions({
    queryKey: [...moduleKey({ environment, namespace, name, provider }), 'consumers'],
    queryFn: async ({ signal }) =>
      (await call(at.modules.consumers, { params: { environment, namespace, name, provider }, signal }))
        .consumers,
    staleTime: 10_000,
  });
