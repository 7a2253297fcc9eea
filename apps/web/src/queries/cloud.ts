/** Cloud credentials engines, their settings and roles. No credentials are cached here. */
import * as at from '@gatehouse/api-types/console/addresses/cloud';
import type {
  CloudLeaseFields,
  CloudLeaseSettings,
  CloudRoot,
  CloudRootFields,
} from '@gatehouse/api-types/console/cloud-engines';
import type { CloudRole, CloudRoleChanges, NewCloudRole } from '@gatehouse/api-types/console/cloud-roles';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { putAnswer } from '#lib/query-client.ts';
import { recordQuery } from './record-life.ts';
import type { LifeCalls, RecordCache, RecordCalls, Revised } from './records.ts';

/** Identifies a role; `mount` has no trailing slash. */
export interface RolePlace {
  readonly environment: string;
  readonly mount: string;
  readonly role: string;
}
export type EnginePlace = Omit<RolePlace, 'role'>;

const cloudKey = (environment: string) => [environment, 'cloud'] as const;
const engineKey = (environment: string, mount: string, name: string) =>
  [...cloudKey(environment), name, mount] as const;

/** The engines that the user may see, and those that could be mounted. */
export const cloudEnginesQuery = (environment: string) =>
  queryOptions({
    queryKey: [...cloudKey(environment), 'engines'],
    queryFn: ({ signal }) => call(at.cloudEngines.list, { params: { environment }, signal }),
    staleTime: 15_000,
  });

/** The actions that the provider's published table doesn't have, and the table's date. */
export const unknownActionsQuery = (environment: string, actions: readonly string[]) =>
  queryOptions({
    queryKey: [...cloudKey(environment), 'unknown-actions', actions],
    queryFn: ({ signal }) =>
      call(at.cloudEngines.checkActions, {
        params: { environment },
        body: { actions: [...actions] },
        signal,
      }),
    enabled: actions.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });

/** Mounts an engine, which isn't configured yet. */
export function useMountEngine(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { mount: string; plugin: string; description: string }) =>
      call(at.cloudEngines.mount, { params: { environment }, body }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: cloudEnginesQuery(environment).queryKey });
    },
  });
}

/** Unmounts an engine. Removes all its records from the cache. */
export function useUnmountEngine({ environment, mount }: EnginePlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (revision: string) =>
      call(at.cloudEngines.unmount, { params: { environment, mount }, revision }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: cloudEnginesQuery(environment).queryKey });
    },
  });
}

/** Rows per page. */
const rolePageSize = 50;

export interface RoleQuery {
  readonly q?: string | undefined;
  readonly page?: number | undefined;
}

/** A page of an engine's roles, sorted by name. The previous page stays while another loads. */
export const cloudRolesQuery = ({ environment, mount }: EnginePlace, { q, page = 1 }: RoleQuery = {}) =>
  queryOptions({
    queryKey: [...engineKey(environment, mount, 'roles'), q ?? '', page],
    queryFn: ({ signal }) =>
      call(at.cloudRoles.list, {
        params: { environment, mount },
        query: {
          ...(q !== undefined && { q }),
          ...(page > 1 && { offset: (page - 1) * rolePageSize }),
          limit: rolePageSize,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });

/** Whether more pages follow. */
export function hasMoreRoles(total: number, page = 1): boolean {
  return total > page * rolePageSize;
}

/** The roles of an engine, addressed by name. */
export function cloudRolesOf(
  mount: string,
): Omit<RecordCalls<CloudRole, NewCloudRole, CloudRoleChanges>, 'list'> {
  const keyOf = (environment: string, role: string) => [...engineKey(environment, mount, 'role'), role];
  return {
    key: 'cloud-roles',
    touches: [],
    cache: {
      keyOf,
      keep: (queryClient, environment, role) => {
        putAnswer(queryClient, keyOf(environment, role.name), role);
        void queryClient.invalidateQueries({ queryKey: engineKey(environment, mount, 'roles') });
      },
      forget: (queryClient, environment, role) => {
        queryClient.removeQueries({ queryKey: keyOf(environment, role) });
        void queryClient.invalidateQueries({ queryKey: engineKey(environment, mount, 'roles') });
      },
    },
    get: (environment, role, context) =>
      call(at.cloudRoles.get, { params: { environment, mount, role }, ...context }),
    create: (environment, body, decided) =>
      call(at.cloudRoles.create, { params: { environment, mount }, body, ...decided }),
    update: (environment, role, guard, body) =>
      call(at.cloudRoles.update, { params: { environment, mount, role }, ...guard, body }),
    remove: {
      harm: at.cloudRoles.delete.harm,
      run: (environment, role, revision) =>
        call(at.cloudRoles.delete, { params: { environment, mount, role }, revision }),
    },
  };
}

export const cloudRoleQuery = ({ environment, mount, role }: RolePlace) =>
  recordQuery(cloudRolesOf(mount), environment, role);

/** The number of a role's leases; null if the user may not list them. */
export const cloudLeaseCountQuery = ({ environment, mount, role }: RolePlace) =>
  queryOptions({
    queryKey: [...engineKey(environment, mount, 'lease-count'), role],
    queryFn: async ({ signal }) => {
      const { items, total } = await call(at.cloudLeases.list, {
        params: { environment, mount, role },
        signal,
      });
      return items === null ? null : total;
    },
    staleTime: 0,
    retry: false,
  });

/** Root credentials of engines, addressed by mount. */
export const cloudRoots: LifeCalls<CloudRoot, never, CloudRootFields> = {
  key: 'cloud-roots',
  touches: [],
  cache: settingsCache('root'),
  get: (environment, mount, context) =>
    call(at.cloudEngines.getRoot, { params: { environment, mount }, ...context }),
  update: (environment, mount, guard, body) =>
    call(at.cloudEngines.updateRoot, { params: { environment, mount }, ...guard, body }),
};

export const cloudRootQuery = ({ environment, mount }: EnginePlace) =>
  recordQuery(cloudRoots, environment, mount);

/** Replaces the access key of the root credentials' user by a new one, and invalidates the shown root credentials. */
export function useRotateRoot({ environment, mount }: EnginePlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(at.cloudEngines.rotateRoot, { params: { environment, mount } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: engineKey(environment, mount, 'root') }),
  });
}

/** Lease settings of engines, addressed by mount. */
export const cloudLeaseSettings: LifeCalls<CloudLeaseSettings, never, CloudLeaseFields> = {
  key: 'cloud-lease-settings',
  touches: [],
  cache: settingsCache('lease'),
  get: (environment, mount, context) =>
    call(at.cloudEngines.getLease, { params: { environment, mount }, ...context }),
  update: (environment, mount, guard, body) =>
    call(at.cloudEngines.updateLease, { params: { environment, mount }, ...guard, body }),
};

export const cloudLeaseSettingsQuery = ({ environment, mount }: EnginePlace) =>
  recordQuery(cloudLeaseSettings, environment, mount);

/** Caches an engine's settings by its mount. The list changes too: it shows what is configured. */
function settingsCache<Settings extends Revised & { readonly mount: string }>(
  name: string,
): RecordCache<Settings, string> {
  const keyOf = (environment: string, mount: string) => engineKey(environment, mount, name);
  return {
    keyOf,
    keep: (queryClient, environment, settings) => {
      putAnswer(queryClient, keyOf(environment, settings.mount), settings);
      void queryClient.invalidateQueries({ queryKey: cloudEnginesQuery(environment).queryKey });
    },
    forget: (queryClient, environment, mount) => {
      queryClient.removeQueries({ queryKey: keyOf(environment, mount) });
    },
  };
}
