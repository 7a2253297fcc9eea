/** Plugins of the secrets server's catalog, and the mounts that run them. */
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

/** All of the catalog, with the mounts and pins: a server has hundreds of plugins, not more. */
export const pluginsQuery = (environment: string) =>
  queryOptions({
    queryKey: listKey(environment),
    queryFn: ({ signal }) => readPlugins(environment, signal),
    staleTime: 10_000,
  });

/** The calls of registrations, by their ids. */
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

/** One registration, or one mount, changes what is shown of others: the pins, what shadows what. */
function stale(queryClient: QueryClient, environment: string): void {
  void queryClient.invalidateQueries({ queryKey: allKey(environment) });
}

/** What is done with plugins beside writing their registrations. Each answers when the server has done it. */
export type PluginWrites = ReturnType<typeof usePluginWrites>;

/** The writes by themselves, for what is done in several steps. */
export function usePluginWrites(environment: string) {
  const queryClient = useQueryClient();
  const writing = async <Answer>(write: Promise<Answer>): Promise<Answer> => {
    try {
      return await write;
    } finally {
      // What failed may have been done in part.
      stale(queryClient, environment);
    }
  };
  return {
    register: (body: NewPlugin): Promise<Plugin> =>
      writing(call(at.plugins.create, { params: { environment }, body })),
    /** @param before the version that is pinned, as it was seen; empty for none */
    pin: (plugin: string, before: string): Promise<unknown> =>
      writing(call(at.plugins.pin, { params: { environment, plugin }, revision: revisionOfVersion(before) })),
    unpin: (plugin: string, before: string): Promise<unknown> =>
      writing(
        call(at.plugins.unpin, { params: { environment, plugin }, revision: revisionOfVersion(before) }),
      ),
    /** @param mounts all that run it, without them */
    reload: (plugin: string, mounts?: readonly string[]): Promise<unknown> =>
      writing(
        call(at.plugins.reload, {
          params: { environment, plugin },
          body: { ...(mounts !== undefined && { mounts: [...mounts] }) },
        }),
      ),
    /**
     * @param version empty for what the server chooses of the catalog
     * @param before the version that the mount is set to, as it was seen
     */
    tune: (mount: string, version: string, before: string): Promise<PluginMount> =>
      writing(
        call(at.plugins.tuneMount, {
          params: { environment, mount },
          revision: revisionOfVersion(before),
          body: { plugin_version: version },
        }),
      ),
    /** The catalog as it is now. */
    read: (): ReturnType<typeof readPlugins> => call(at.plugins.list, { params: { environment } }),
  };
}
