/** Plugins in the secrets server's catalog, and the mounts that run them. */
import * as at from '@gatehouse/api-types/console/addresses/plugins';
import { pluginIdOf, revisionOfVersion } from '@gatehouse/api-types/console/plugin-values';
import type { NewPlugin, Plugin, PluginChanges, PluginMount } from '@gatehouse/api-types/console/plugins';
import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { putAnswer } from '#lib/query-client.ts';
import type { LifeCalls } from './records.ts';

const allKey = (environment: string) => [environment, 'secrets', 'plugins'] as const;
const listKey = (environment: string) => [...allKey(environment), 'list'] as const;
const oneKey = (environment: string, plugin: string) => [...allKey(environment), 'one', plugin] as const;

const readPlugins = (environment: string, signal: AbortSignal) =>
  call(at.plugins.list, { params: { environment }, signal });

/** The whole catalog, with mounts and pins: a server has hundreds of plugins, not more. */
export const pluginsQuery = (environment: string) =>
  queryOptions({
    queryKey: listKey(environment),
    queryFn: ({ signal }) => readPlugins(environment, signal),
    staleTime: 10_000,
  });

/** Registrations, addressed by ID. */
export const plugins: LifeCalls<Plugin, NewPlugin, PluginChanges> = {
  key: 'plugins',
  touches: [],
  cache: {
    keyOf: oneKey,
    keep: (queryClient, environment, plugin) => {
      stale(queryClient, environment);
      putAnswer(queryClient, oneKey(environment, pluginIdOf(plugin)), plugin);
    },
    forget: (queryClient, environment, plugin) => {
      queryClient.removeQueries({ queryKey: oneKey(environment, plugin) });
      stale(queryClient, environment);
    },
  },
  get: (environment, plugin, context) =>
    call(at.plugins.get, { params: { environment, plugin }, ...context }),
  create: (environment, body, decided) =>
    call(at.plugins.create, { params: { environment }, body, ...decided }),
  update: (environment, plugin, guard, body) =>
    call(at.plugins.update, { params: { environment, plugin }, ...guard, body }),
  remove: {
    harm: at.plugins.delete.harm,
    run: (environment, plugin, revision) =>
      call(at.plugins.delete, { params: { environment, plugin }, revision }),
  },
};

/** A registration or mount also affects others: which version is pinned, and which plugin shadows which. */
function stale(queryClient: QueryClient, environment: string): void {
  void queryClient.invalidateQueries({ queryKey: allKey(environment) });
}

/** Changes to plugins other than writes of their registrations. Each resolves when the server is done. */
export type PluginWrites = ReturnType<typeof usePluginWrites>;

/** The single writes, for work in several steps. */
export function usePluginWrites(environment: string) {
  const queryClient = useQueryClient();
  const writing = async <Answer>(write: Promise<Answer>): Promise<Answer> => {
    try {
      return await write;
    } finally {
      // A failed write may have been done in part.
      stale(queryClient, environment);
    }
  };
  return {
    register: (body: NewPlugin): Promise<Plugin> =>
      writing(call(at.plugins.create, { params: { environment }, body })),
    /** @param before the pinned version that the user saw; empty for none */
    pin: (plugin: string, before: string): Promise<unknown> =>
      writing(call(at.plugins.pin, { params: { environment, plugin }, revision: revisionOfVersion(before) })),
    unpin: (plugin: string, before: string): Promise<unknown> =>
      writing(
        call(at.plugins.unpin, { params: { environment, plugin }, revision: revisionOfVersion(before) }),
      ),
    /** @param mounts by default, all that run the plugin */
    reload: (plugin: string, mounts?: readonly string[]): Promise<unknown> =>
      writing(
        call(at.plugins.reload, {
          params: { environment, plugin },
          body: { ...(mounts !== undefined && { mounts: [...mounts] }) },
        }),
      ),
    /**
     * @param version empty to let the server choose from the catalog
     * @param before the mount's version that the user saw
     */
    tune: (mount: string, version: string, before: string): Promise<PluginMount> =>
      writing(
        call(at.plugins.tuneMount, {
          params: { environment, mount },
          revision: revisionOfVersion(before),
          body: { plugin_version: version },
        }),
      ),
    /** Reads the catalog past the cache. */
    read: (): ReturnType<typeof readPlugins> => call(at.plugins.list, { params: { environment } }),
  };
}
