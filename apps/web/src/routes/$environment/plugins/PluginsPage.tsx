import { Button } from '@gatehouse/ui/button';
import { ErrorState } from '@gatehouse/ui/error-state';
import { PluginIcon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import type { MenuEntry } from '@gatehouse/ui/menu';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { ArrowUpFromLine, Copy, FileCheck, Lock, Plus, SearchX } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useSecretsCommand } from '#components/form/secrets-client.ts';
import type { Narrowed } from '#components/list/ListGrid.tsx';
import { ListPage } from '#components/list/ListPage.tsx';
import { idOf } from '#components/list/row-id.ts';
import { type ChangeSearch, useSearchState } from '#components/list/use-search-state.ts';
import { useWholeList } from '#components/list/use-whole-list.ts';
import { newPluginHref, pluginHref, upgradePluginHref } from '#components/places/plugins.ts';
import { secretsHref } from '#components/places/secrets.ts';
import { pluginName, sourceWords, stateWords, typeWords } from '#components/plugins/plugin-words.ts';
import { stateOf } from '#components/plugins/states.ts';
import { usePluginStates } from '#components/plugins/use-plugin-states.ts';
import { isApiError } from '#lib/api-error.ts';
import { copyText } from '#lib/copy-text.ts';
import { queryClient } from '#lib/query-client.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { pluginsQuery } from '#queries/plugins.ts';
import { rowsOf } from './-catalog/catalog.ts';
import { reasonAgainst } from './-catalog/may.ts';
import { DropTarget } from './DropTarget.tsx';
import { type ListedPlugin, pluginColumns, textsOfPlugin, withRepeats } from './plugin-columns.tsx';
import { pluginsSearch, type PluginsSearch } from './plugins-search.ts';
import { StatesBar, uncheckedWords } from './StatesBar.tsx';

export const Route = createFileRoute('/$environment/plugins/')({
  validateSearch: pluginsSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(pluginsQuery(environment));
  },
  component: PluginsPage,
});

const PluginFilters = lazy(async () => ({ default: (await import('./PluginFilters.tsx')).PluginFilters }));
const CheckPanel = lazy(async () => ({ default: (await import('./-check/CheckPanel.tsx')).CheckPanel }));
const noun = { one: 'plugin', many: 'plugins' };

/** All plugins of the catalog with their versions and mounts. Looks up a binary dropped on the page. */
function PluginsPage() {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const query = useQuery(pluginsQuery(environment.id));
  const [search, change] = useSearchState(pluginsSearch);
  const { type, source, state } = search;
  const { data } = query;
  const reading = usePluginStates(environment.id, data?.items, query.dataUpdatedAt);
  const { states, see, unread } = reading;
  const columns = useMemo(() => pluginColumns(see), [see]);
  const plugins = useMemo(() => data && rowsOf(data), [data]);
  const items = useMemo(
    () =>
      plugins
        ?.map((row) => ({ ...row, state: stateOf(row, states) }))
        .filter(
          (row) =>
            (type === undefined || row.type === type) &&
            (source === undefined || row.source === source) &&
            (state === undefined || row.state === state),
        ),
    [plugins, states, type, source, state],
  );
  const list = useWholeList<ListedPlugin>([search, change], {
    items,
    columns,
    rowId: idOf,
    noun,
    finds: 'Search name, version, SHA-256, mount',
    textsOf: textsOfPlugin,
  });
  const rows = useMemo(() => withRepeats(list.rows), [list.rows]);
  const [isChecking, setChecking] = useState(false);
  const [dropped, setDropped] = useState<File>();
  const check = (): void => {
    setChecking(true);
  };
  useShortcut({ keys: 'x', label: 'Check a file', group: 'Plugins', run: check });
  const actionsOf = (plugin: ListedPlugin): readonly MenuEntry[] => [
    {
      id: 'copy',
      label: 'Copy SHA-256',
      icon: Copy,
      disabledReason: plugin.sha256 === '' ? 'The server reports no hash for this plugin.' : undefined,
      onAction: () => void copyText(plugin.sha256, 'SHA-256'),
    },
    {
      id: 'upgrade',
      label: 'Upgrade mounts',
      icon: ArrowUpFromLine,
      disabledReason: reasonAgainst(data?.may, 'register'),
      onAction: () => void navigate({ href: upgradePluginHref(environment.id, plugin.id) }),
    },
    {
      id: 'version',
      label: 'Register another version',
      icon: Plus,
      disabledReason: reasonAgainst(data?.may, 'register'),
      onAction: () =>
        void navigate({
          href: newPluginHref(environment.id, { type: plugin.type, name: plugin.name }),
        }),
    },
  ];
  const command = useSecretsCommand('vault plugin list');
  return (
    <DropTarget
      onDrop={(file) => {
        setDropped(file);
        check();
      }}
    >
      <ListPage<ListedPlugin>
        {...list}
        rows={rows}
        title="Plugins"
        icon={PluginIcon}
        list="plugins"
        query={query}
        rowLabel={pluginName}
        rowHref={({ id }) => pluginHref(environment.id, id)}
        rowActions={actionsOf}
        actions={
          <Button size={28} icon={FileCheck} shortcut="x" aria-expanded={isChecking} onPress={check}>
            Check a file
          </Button>
        }
        create={{
          href: newPluginHref(environment.id),
          reason: reasonAgainst(data?.may, 'register'),
          label: 'Register a plugin',
        }}
        filters={{
          after: (
            <Suspense fallback={<span className="block h-7 w-24" />}>
              <PluginFilters search={search} onChange={change} />
            </Suspense>
          ),
        }}
        narrowed={narrowedBy(search, change, list.narrowed, unread)}
        barEnd={<StatesBar {...reading} />}
        empty={{
          title: 'No plugins you can see',
          about:
            "A plugin is a program that the secrets server runs for an engine, an auth method or a kind of database. The catalog lists allowed plugins by the binary's SHA-256.",
          command,
          create: 'Register a plugin',
        }}
        instead={
          data === undefined && isApiError(query.error, 'forbidden', 'not-found') ? (
            <NoCatalog isForbidden={isApiError(query.error, 'forbidden')} environment={environment.id} />
          ) : undefined
        }
      >
        {isChecking && (
          <Suspense fallback={null}>
            <CheckPanel
              catalog={data}
              dropped={dropped}
              onClose={() => {
                setChecking(false);
                setDropped(undefined);
              }}
            />
          </Suspense>
        )}
      </ListPage>
    </DropTarget>
  );
}

function NoCatalog({ isForbidden, environment }: { isForbidden: boolean; environment: string }) {
  return (
    <ErrorState
      icon={isForbidden ? Lock : SearchX}
      title={isForbidden ? "You can't see the plugin catalog" : 'This server has no plugin catalog'}
      why={
        isForbidden
          ? "Your policies don't let you read sys/plugins/catalog. Ask an administrator of the secrets server for access. Reading, registering and deleting plugins also require sudo."
          : 'The secrets server has no sys/plugins/catalog. Its built-in plugins still work.'
      }
      action={<LinkButton href={secretsHref(environment)}>Go to secrets</LinkButton>}
    />
  );
}

function narrowedBy(
  { q, type, source, state }: PluginsSearch,
  change: ChangeSearch<PluginsSearch>,
  words: Narrowed | undefined,
  unread: number,
): Narrowed | undefined {
  if (type === undefined && source === undefined && state === undefined) return words;
  const what = [
    q !== undefined && `"${q}"`,
    type !== undefined && `type ${typeWords[type].toLowerCase()}`,
    source !== undefined && `source ${sourceWords[source].toLowerCase()}`,
    state !== undefined && `state ${stateWords[state].word.toLowerCase()}`,
  ].filter((part) => part !== false);
  return {
    title: `No plugins match ${what.join(', ')}.${state === undefined || unread === 0 ? '' : ` ${uncheckedWords(unread)}.`}`,
    label: 'Show all plugins',
    onClear: () => {
      words?.onClear();
      change({ q: undefined, type: undefined, source: undefined, state: undefined });
    },
  };
}
