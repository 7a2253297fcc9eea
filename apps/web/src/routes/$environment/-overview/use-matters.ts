import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Connection, Session } from '@gatehouse/api-types/console/session';
import { useNow } from '@gatehouse/ui/time';
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { isStateRead, type KnownState } from '#components/plugins/states.ts';
import { usePluginStates } from '#components/plugins/use-plugin-states.ts';
import { unknownActivityQuery, unknownRows } from '#queries/activity.ts';
import { newestBoxes, newestBoxesQuery } from '#queries/boxes.ts';
import { cloudEnginesQuery } from '#queries/cloud.ts';
import { storesInTroubleQuery } from '#queries/credential-sources.ts';
import { moduleConsumersQuery, newestModules, newestModulesQuery } from '#queries/modules.ts';
import { pluginsQuery } from '#queries/plugins.ts';
import { replicationQuery } from '#queries/replication.ts';
import { secretDatesQuery } from '#queries/secret-metadata.ts';
import {
  boxMatters,
  connectionMatters,
  moduleMatters,
  pluginMatters,
  replicationMatters,
  secretMatters,
  storeMatters,
  unknownMatters,
  type Matter,
} from './matters.ts';

/** Something that is checked. */
export interface Check {
  readonly name: string;
  readonly state: 'checking' | 'checked' | 'failed';
  readonly matters: readonly Matter[];
}

/** Registered plugins whose state is read. */
const mostPlugins = 20;

/**
 * Checks everything that may need attention. Services that aren't connected are matters themselves, and what they
 * would report isn't checked.
 * @param connections those of the environment
 */
export function useMatters(
  session: Session,
  environment: string,
  connections: Pick<UseQueryResult<readonly Connection[]>, 'data' | 'isError'>,
  connected: ReadonlySet<ServiceName>,
): readonly Check[] {
  const now = useNow();
  const [hasAccess, hasSecrets, hasBoxes, hasModules] = [
    connected.has('access'),
    connected.has('secrets'),
    connected.has('boxes'),
    connected.has('modules'),
  ];
  const stores = useQuery({ ...storesInTroubleQuery(environment), enabled: hasAccess });
  const replication = useQuery({ ...replicationQuery(environment), enabled: hasSecrets });
  const dates = useQuery({ ...secretDatesQuery(environment), enabled: hasSecrets });
  const boxes = useQuery({ ...newestBoxesQuery(environment), enabled: hasBoxes });
  const unknown = useQuery(unknownActivityQuery(environment));
  const plugins = usePluginCheck(environment, hasSecrets);
  const consumers = useConsumersCheck(environment, hasModules, now);
  return [
    checkOf('connections', connections, (items) => connectionMatters(environment, session, items, now)),
    ...(hasSecrets
      ? [
          ...(plugins === undefined ? [] : [plugins]),
          checkOf('replication', replication, ({ status }) =>
            status === undefined ? undefined : replicationMatters(environment, status),
          ),
          checkOf(
            `${dates.data?.is_complete === false ? 'some ' : ''}dates of secrets opened in the console`,
            dates,
            ({ items }) => secretMatters(environment, items, now),
          ),
        ]
      : []),
    ...(hasAccess
      ? [checkOf('tokens of credential stores', stores, (items) => storeMatters(environment, items))]
      : []),
    ...(hasBoxes
      ? [
          checkOf(`images of the ${newestBoxes} boxes that changed last`, boxes, (items) =>
            boxMatters(environment, items),
          ),
        ]
      : []),
    ...(hasModules && consumers !== undefined ? [consumers] : []),
    checkOf('outcomes of changes', unknown, ({ length }) =>
      unknownMatters(environment, length, length === unknownRows),
    ),
  ];
}

/** @param find undefined if the answer doesn't say */
function checkOf<Data>(
  name: string,
  { data, isError }: Pick<UseQueryResult<Data>, 'data' | 'isError'>,
  find: (data: Data) => readonly Matter[] | undefined,
): Check {
  const matters = data === undefined ? undefined : find(data);
  if (matters !== undefined) return { name, state: 'checked', matters };
  return { name, state: isError || data !== undefined ? 'failed' : 'checking', matters: [] };
}

/** @returns undefined if the registry doesn't report consumers */
function useConsumersCheck(environment: string, isEnabled: boolean, now: number): Check | undefined {
  const newest = useQuery({ ...newestModulesQuery(environment), enabled: isEnabled });
  const modules = newest.data?.modules ?? [];
  const answers = useQueries({
    queries: modules.map((place) => ({ ...moduleConsumersQuery({ environment, ...place }), retry: false })),
  });
  if (answers.some(({ data }) => data === null)) return undefined;
  const found = answers.flatMap(({ data }, at) => {
    const module = modules[at];
    return module === undefined || data === undefined || data === null
      ? []
      : [{ ...module, consumers: data }];
  });
  const isWhole = newest.data !== undefined && found.length === modules.length;
  return {
    name: `consumers of the ${newestModules} modules published last`,
    state: isWhole ? 'checked' : [newest, ...answers].some(({ isError }) => isError) ? 'failed' : 'checking',
    matters: moduleMatters(environment, found, now),
  };
}

/** @returns undefined if the caller can't read the catalog. It isn't tried then, because refusals are recorded. */
function usePluginCheck(environment: string, isEnabled: boolean): Check | undefined {
  const cloud = useQuery({ ...cloudEnginesQuery(environment), enabled: isEnabled });
  const isRefused = cloud.data?.available === null;
  const catalog = useQuery({
    ...pluginsQuery(environment),
    enabled: isEnabled && !cloud.isPending && !isRefused,
  });
  const items = catalog.data?.items;
  const registered = useMemo(() => items?.filter(isStateRead) ?? [], [items]);
  const read = useMemo(() => registered.slice(0, mostPlugins), [registered]);
  const { states, see } = usePluginStates(environment, items, catalog.dataUpdatedAt);
  useEffect(() => {
    for (const { id } of read) see(id);
  }, [read, see]);
  const found = read.map((plugin) => ({ ...plugin, state: states.get(plugin.id)?.state }));
  const some = (...wanted: readonly (KnownState | undefined)[]): boolean =>
    found.some(({ state }) => wanted.includes(state));
  if (isRefused) return undefined;
  return {
    name:
      registered.length > mostPlugins
        ? `${mostPlugins} of ${registered.length} registered plugins`
        : 'plugins',
    state:
      catalog.isError || some('denied', 'failed')
        ? 'failed'
        : items === undefined || some(undefined)
          ? 'checking'
          : 'checked',
    matters: pluginMatters(environment, found),
  };
}
