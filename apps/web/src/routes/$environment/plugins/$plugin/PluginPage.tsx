import { fieldsOfPlugin, type Plugin } from '@gatehouse/api-types/console/plugins';
import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { CodeBlock } from '@gatehouse/ui/code';
import type { KeyValue } from '@gatehouse/ui/key-value-list';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import type { MenuEntry } from '@gatehouse/ui/menu';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { Copy, Pin, PinOff, RotateCw, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { codeSetUp } from '#components/form/as-code.ts';
import { AsCode } from '#components/form/AsCode.tsx';
import { editPluginHref, newPluginHref, pluginsHref, upgradePluginHref } from '#components/places/plugins.ts';
import {
  deprecationWords,
  isDeprecated,
  sourceWords,
  stateWords,
  typeWords,
} from '#components/plugins/plugin-words.ts';
import { DetailCard, DetailCards } from '#components/record/DetailCard.tsx';
import { RecordDetail } from '#components/record/RecordDetail.tsx';
import { copyText } from '#lib/copy-text.ts';
import { queryClient } from '#lib/query-client.ts';
import { plugins, pluginsQuery } from '#queries/plugins.ts';
import { recordQuery } from '#queries/record-life.ts';
import { usePin } from '../-actions/use-pin.tsx';
import { sourceOf } from '../-catalog/catalog.ts';
import { fixedReason, nothingToUpgrade, reasonAgainst, reasonAgainstChanging } from '../-catalog/may.ts';
import { draftOf, type HashedFile } from '../-check/verdict.ts';
import { pluginAsCode, pluginStanza } from '../-editing/plugin-as-code.ts';
import { shownPlugins } from '../shown-plugins.ts';
import { FileCard } from './FileCard.tsx';
import { MountsCard } from './MountsCard.tsx';
import { VersionsCard } from './VersionsCard.tsx';

export const Route = createFileRoute('/$environment/plugins/$plugin/')({
  loader: ({ params: { environment, plugin } }) => {
    void queryClient.prefetchQuery(recordQuery(plugins, environment, plugin));
    void queryClient.prefetchQuery(pluginsQuery(environment));
  },
  component: PluginPage,
});

const DeletePlugin = lazy(async () => ({
  default: (await import('../-actions/DeletePlugin.tsx')).DeletePlugin,
}));
const ReloadPlugin = lazy(async () => ({
  default: (await import('../-actions/ReloadPlugin.tsx')).ReloadPlugin,
}));
const CompareCard = lazy(async () => ({ default: (await import('../-check/CompareCard.tsx')).CompareCard }));
const route = getRouteApi('/$environment/plugins/$plugin/');

/** One registration: the program, its mounts, and its state on the server. */
function PluginPage() {
  const { plugin: id } = route.useParams();
  const environment = useEnvironment();
  const catalog = useQuery(pluginsQuery(environment.id));
  const [isReloading, setReloading] = useState(false);
  /** The file to register as another version. */
  const [picked, setPicked] = useState<HashedFile>();
  const pin = usePin();
  const listHref = pluginsHref(environment.id);
  return (
    <>
      <RecordDetail
        kind={shownPlugins}
        id={id}
        ancestors={[{ id: 'plugins', label: 'Plugins', href: listHref }]}
        listHref={listHref}
        editHref={editPluginHref(environment.id, id)}
        Deletion={DeletePlugin}
        metaOf={(plugin) => <StateBadges plugin={plugin} />}
        actions={(plugin) => (
          <UpgradeButton
            reason={reasonAgainst(plugin.may, 'register') ?? nothingToUpgrade(plugin, catalog.data?.mounts)}
            href={upgradePluginHref(environment.id, plugin.id)}
          />
        )}
        menuOf={(plugin, remove) =>
          menuOf(plugin, {
            remove,
            pin: () => {
              pin.run(plugin);
            },
            reload: () => {
              setReloading(true);
            },
          })
        }
      >
        {(plugin) => (
          <>
            <News plugin={plugin} />
            <DetailCards>
              <div className="flex min-w-0 flex-col gap-4">
                <DetailCard title="Registration" items={itemsOf(plugin)} />
                <FileCard plugin={plugin} />
                <MountsCard plugin={plugin} catalog={catalog.data} />
                {!plugin.builtin && (
                  <Suspense fallback={null}>
                    <CompareCard plugin={plugin} onPick={setPicked} />
                  </Suspense>
                )}
              </div>
              <div className="flex min-w-0 flex-col gap-4">
                <VersionsCard
                  plugin={plugin}
                  catalog={catalog}
                  create={{
                    href: newPluginHref(environment.id, {
                      ...(picked !== undefined && picked.sha256 !== plugin.sha256 && draftOf(picked)),
                      type: plugin.type,
                      name: plugin.name,
                    }),
                    reason: reasonAgainst(plugin.may, 'register'),
                  }}
                />
                {plugin.declarative && <StanzaCard plugin={plugin} />}
                {fixedReason(plugin) === undefined && (
                  <AsCode
                    code={pluginAsCode(plugin, fieldsOfPlugin(plugin))}
                    note={`The same registration on the command line, without environment entries, which can't be read. ${codeSetUp.secrets}`}
                  />
                )}
              </div>
            </DetailCards>
            {isReloading && (
              <Suspense fallback={null}>
                <ReloadPlugin
                  plugin={plugin}
                  onClose={() => {
                    setReloading(false);
                  }}
                />
              </Suspense>
            )}
          </>
        )}
      </RecordDetail>
      {pin.question}
    </>
  );
}

function UpgradeButton({ reason, href }: { reason: string | undefined; href: string }) {
  return reason === undefined ? (
    <LinkButton href={href} size={28}>
      Upgrade
    </LinkButton>
  ) : (
    <Button size={28} disabledReason={reason}>
      Upgrade
    </Button>
  );
}

function menuOf(
  plugin: Plugin,
  { remove, pin, reload }: Readonly<Record<'remove' | 'pin' | 'reload', () => void>>,
): readonly MenuEntry[] {
  const { pinned_version: pinned, version, mounts, may } = plugin;
  const isPinned = pinned === version && version !== '';
  return [
    { id: 'copy-id', label: 'Copy ID', icon: Copy, onAction: () => void copyText(plugin.id, 'ID') },
    {
      id: 'reload',
      label: 'Reload',
      icon: RotateCw,
      disabledReason:
        reasonAgainst(may, 'reload') ??
        (mounts?.length === 0 ? 'No mount in this namespace runs this plugin.' : undefined),
      onAction: reload,
    },
    ...(pinned === null
      ? []
      : [
          {
            id: 'pin',
            label: isPinned ? 'Remove the pin' : 'Pin this version',
            icon: isPinned ? PinOff : Pin,
            disabledReason:
              reasonAgainst(may, 'pin') ??
              (version === '' ? 'Only a registration with a version can be pinned.' : undefined),
            onAction: pin,
          },
        ]),
    'separator',
    {
      id: 'delete',
      label: 'Delete',
      icon: Trash2,
      isDanger: true,
      disabledReason: reasonAgainstChanging(plugin, 'delete'),
      onAction: remove,
    },
  ];
}

function StateBadges({ plugin }: { plugin: Plugin }) {
  const { word, tone } = stateWords[plugin.state];
  return (
    <span className="flex gap-1">
      <Badge>{sourceWords[sourceOf(plugin)]}</Badge>
      {!plugin.builtin && <Badge tone={tone}>{word}</Badge>}
      {plugin.pinned_version === plugin.version && plugin.version !== '' && (
        <Badge tone="accent" icon={Pin}>
          Pinned
        </Badge>
      )}
    </span>
  );
}

/** Banners above the registration: state, deprecation, declaration and pin. */
function News({ plugin }: { plugin: Plugin }) {
  const {
    state,
    state_reason: reason,
    declarative,
    deprecation_status: status,
    pinned_version: pinned,
    version,
  } = plugin;
  const { word, about, tone } = stateWords[state];
  const news = [
    isSaidAbove(state) &&
      tone !== 'neutral' &&
      !plugin.builtin && {
        tone,
        title: word,
        text: state === 'missing' && reason !== '' ? `${about} Reason: ${reason}.` : about,
      },
    isDeprecated(status) && {
      tone: status === 'removed' ? ('danger' as const) : ('warn' as const),
      title: deprecationWords(status),
      text: 'The server reports this deprecation status. Find a replacement for the plugin before you upgrade the server.',
    },
    declarative && {
      tone: 'info' as const,
      title: "Declared in the server's configuration file",
      text: 'To change the registration, edit the block shown below in that file. Changes in the catalog are undone at the next start.',
    },
    pinned !== null &&
      pinned !== '' &&
      pinned !== version && {
        tone: 'info' as const,
        title: `${pinned} is pinned`,
        text: 'Every mount of the plugin runs the pinned version, whatever version it is set to.',
      },
  ].filter((item) => item !== false);
  if (news.length === 0) return null;
  return (
    <div className="mx-auto flex w-full max-w-300 flex-col gap-2 px-4 pt-4 wide:px-6">
      {news.map(({ tone: itsTone, title, text }) => (
        <Banner key={title} tone={itsTone} title={title} announce="none">
          {text}
        </Banner>
      ))}
    </div>
  );
}

function itemsOf(plugin: Plugin): readonly KeyValue[] {
  const { type, name, version, sha256, command, args, oci_image: image, runtime, builtin } = plugin;
  return [
    { label: 'Name', value: name, isMono: true, copyText: name },
    { label: 'Type', value: typeWords[type] },
    {
      label: 'Version',
      value: version === '' ? 'None: mounts without a configured version run this registration' : version,
    },
    { label: 'Source', value: sourceWords[sourceOf(plugin)] },
    ...(builtin
      ? []
      : [
          { label: 'SHA-256', value: sha256, isMono: true, ...(sha256 !== '' && { copyText: sha256 }) },
          { label: 'Command', value: command, isMono: true },
          {
            label: 'Arguments',
            isMono: true,
            value:
              args.length === 0 ? (
                ''
              ) : (
                <ul>
                  {args.map((arg, index) => (
                    <li key={index}>{arg}</li>
                  ))}
                </ul>
              ),
          },
          { label: 'Environment', value: <span className="text-ink-2">Write-only</span> },
          ...(image === ''
            ? []
            : [
                { label: 'Image', value: image, isMono: true, copyText: image },
                { label: 'Runtime', value: runtime, isMono: true },
              ]),
          ...(isSaidAbove(plugin.state) ? [] : [{ label: 'State', value: stateWords[plugin.state].about }]),
        ]),
    ...(plugin.deprecation_status === ''
      ? []
      : [{ label: 'Support', value: deprecationWords(plugin.deprecation_status) }]),
  ];
}

function isSaidAbove(state: Plugin['state']): boolean {
  return state !== 'runs' && state !== 'unknown';
}

function StanzaCard({ plugin }: { plugin: Plugin }) {
  return (
    <Card title="In the configuration file">
      <div className="flex flex-col gap-2">
        <CodeBlock label="Server configuration file" code={pluginStanza(plugin)} />
        <p className="text-meta text-ink-2">
          Edit this block in the configuration file of every node, then restart the server.
        </p>
      </div>
    </Card>
  );
}
