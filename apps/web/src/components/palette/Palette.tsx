import type { ServiceName } from '@gatehouse/api-types/console/service';
import { CommandPalette, type PaletteGroup, type PaletteItem } from '@gatehouse/ui/command-palette';
import {
  BoxIcon,
  CloudRoleIcon,
  ModuleIcon,
  PluginIcon,
  ReplicationIcon,
  TargetIcon,
} from '@gatehouse/ui/icon';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  CornerLeftUp,
  History,
  KeyRound,
  Moon,
  PackageOpen,
  PackagePlus,
  Server,
  Sun,
  SunMoon,
} from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { hasService } from '#lib/has-service.ts';
import { pathOf, recentPlaces } from '#lib/recent-places.ts';
import { useShortcuts } from '#lib/shortcuts.ts';
import type { Theme } from '#lib/theme.ts';
import { paletteBoxesQuery } from '#queries/boxes.ts';
import { cloudEnginesQuery, paletteRolesQuery } from '#queries/cloud.ts';
import { paletteModulesQuery } from '#queries/modules.ts';
import { paletteTargetsQuery } from '#queries/palette-targets.ts';
import { pluginsQuery } from '#queries/plugins.ts';
import { useThemeSetting } from '#queries/settings.ts';
import { typeInWords } from '../../lib/cloud-types.ts';
import { useEnvironment, useSession } from '../environment/use-environment.ts';
import { screenGroupsOf } from '../layout/screens.ts';
import { cloudRoleHref, cloudRolesHref, cloudRootHref, newCloudRoleHref } from '../places/cloud.ts';
import { moduleHref, moduleTokensHref, publishModuleHref } from '../places/modules.ts';
import { movesHref, newMoveHref } from '../places/moves.ts';
import { newPluginHref, pluginHref, upgradePluginHref } from '../places/plugins.ts';
import { compareHref, failoverHref, guidesHref, newSecondaryHref } from '../places/replication.ts';
import { matchingGroups, moduleQuestion, roleQuestion, upgradeQuestion } from './palette-search.ts';

const typingMs = 150;
const mostRecent = 6;
/** Headings of the shortcuts that are not particular to a page. */
const places = 'Places';
const everywhere = 'Everywhere';
const paletteKeys = 'Mod+K';

/** What people call screens, beside their names. */
const wordsOfScreens: Readonly<Record<string, string>> = {
  '/$environment/plugins': 'catalog sha256 hash check binary file upgrade pin reload mount replaced',
  '/$environment/cloud':
    'aws iam user sts assume federation token policy lease revoke generate credentials keys convert mount engine',
  '/$environment/replication':
    'cluster clusters primary secondary promote demote disable lag canary activation token paths filter digest lost writes nodes raft',
};

const themes = [
  { theme: 'light', label: 'Theme: light', icon: Sun },
  { theme: 'dark', label: 'Theme: dark', icon: Moon },
  { theme: 'system', label: 'Theme: System', icon: SunMoon },
] as const satisfies readonly { theme: Theme; label: string; icon: unknown }[];

/** Actions of this page, places, ancestors, what was visited, what works everywhere, then targets, cloud roles, boxes, modules and plugins by search. */
export function Palette({
  takeTyped,
  onClose,
}: {
  /** What was typed before it stood. */
  takeTyped: () => string;
  onClose: () => void;
}) {
  const environment = useEnvironment();
  const { environments } = useSession();
  const router = useRouter();
  const shortcuts = useShortcuts();
  const [theme, setTheme] = useThemeSetting();
  const [text, setText] = useState('');
  const begin = useEffectEvent(() => {
    const typed = takeTyped();
    setText((now) => typed + now);
  });
  useEffect(() => {
    begin();
  }, []);
  const needle = useSettled(text.trim());
  const has = (name: ServiceName): boolean => needle.length > 0 && hasService(environment, name);
  const found = useQuery({
    ...paletteTargetsQuery(environment.id, needle),
    enabled: has('access'),
  });
  const foundBoxes = useQuery({ ...paletteBoxesQuery(environment.id, needle), enabled: has('boxes') });
  const question = moduleQuestion(needle);
  const foundModules = useQuery({
    ...paletteModulesQuery(environment.id, question.text),
    enabled: has('modules'),
  });
  const foundPlugins = useQuery({ ...pluginsQuery(environment.id), enabled: has('secrets'), retry: false });
  const aboutRole = roleQuestion(needle);
  const upgraded = upgradeQuestion(needle);
  const foundRoles = useQuery({
    ...paletteRolesQuery(environment.id, aboutRole.text),
    enabled: has('secrets'),
  });
  const { data: cloud } = useQuery({
    ...cloudEnginesQuery(environment.id),
    enabled: has('secrets'),
    retry: false,
  });
  const here = router.state.location.pathname;
  const go = (href: string) => (): void => void router.navigate({ href });
  const screens = screenGroupsOf(environment).flatMap((group) => group.screens);
  const hrefOf = (to: string): string => to.replace('$environment', environment.id);

  const morePlaces: readonly (Pick<PaletteItem, 'label' | 'icon' | 'detail'> & { readonly href: string })[] =
    [
      ...(hasService(environment, 'secrets')
        ? [
            {
              href: newPluginHref(environment.id),
              label: 'Register a plugin',
              icon: PluginIcon,
              detail: 'Add to the plugin catalog',
            },
            {
              href: failoverHref(environment.id),
              label: 'Failover planner',
              icon: ReplicationIcon,
              detail: 'Failover, role change, promote, demote, runbook',
            },
            {
              href: newSecondaryHref(environment.id),
              label: 'Add a secondary',
              icon: ReplicationIcon,
              detail: 'Cluster replication',
            },
            {
              href: guidesHref(environment.id),
              label: 'Recovery guides',
              icon: ReplicationIcon,
              detail: 'Rejoin without a wipe, two primaries, lost writes',
            },
            {
              href: compareHref(environment.id),
              label: 'Compare clusters',
              icon: ReplicationIcon,
              detail: 'Replication digests',
            },
          ]
        : []),
      ...(['boxes', 'modules'] as const)
        .filter((kind) => hasService(environment, kind))
        .flatMap((kind) => [
          {
            href: newMoveHref(environment.id, kind),
            label: `Import ${kind}`,
            icon: PackageOpen,
            detail: `Move or import ${kind} from ${kind === 'boxes' ? 'HCP Vagrant, Vagrant Cloud' : 'Terraform'} or another registry`,
          },
          {
            href: movesHref(environment.id, kind),
            label: `Moves of ${kind}`,
            icon: PackageOpen,
            detail: 'In progress and finished, with their reports',
          },
        ]),
      ...(hasService(environment, 'modules')
        ? [
            { href: publishModuleHref(environment.id), label: 'Publish a module', icon: PackagePlus },
            { href: moduleTokensHref(environment.id), label: 'Module tokens', icon: KeyRound },
          ]
        : []),
    ];

  const inEngines = (cloud?.items ?? []).flatMap(({ mount }) => {
    const place = { environment: environment.id, mount };
    const icon = CloudRoleIcon;
    return [
      { href: cloudRolesHref(place), label: `Cloud credentials: ${mount}`, detail: 'AWS keys by role', icon },
      { href: cloudRootHref(place), label: `Rotate root credentials: ${mount}`, detail: 'AWS keys', icon },
      { href: newCloudRoleHref(place), label: `New cloud role: ${mount}`, detail: 'AWS', icon },
    ];
  });

  const ofPage = shortcuts
    .filter(({ group }) => group !== places && group !== everywhere)
    .map(({ keys, label, run }): PaletteItem => ({
      id: `action ${keys} ${label}`,
      label,
      shortcut: keys,
      onAction: run,
    }));
  const visited = recentPlaces();
  const titleOf = (path: string): string | undefined =>
    screens.find(({ to }) => hrefOf(to) === path)?.label ??
    visited.find(({ href }) => pathOf(href) === path)?.title;
  const known: PaletteGroup[] = [
    { title: 'On this page', items: ofPage },
    {
      title: places,
      items: [
        ...screens
          .filter(({ to }) => hrefOf(to) !== here)
          .map(({ to, label, icon, keys }) => ({
            id: `place ${to}`,
            label,
            icon,
            shortcut: keys,
            words: wordsOfScreens[to] ?? '',
            onAction: go(hrefOf(to)),
          })),
        ...morePlaces
          .filter(({ href, label }) => href !== here && !ofPage.some((action) => action.label === label))
          .map(({ href, ...item }) => ({ id: `place ${href}`, ...item, onAction: go(href) })),
        // They are many words for one screen: found by them, not listed.
        ...(needle === '' ? [] : inEngines)
          .filter(({ href }) => href !== here)
          .map(({ href, ...entry }) => ({ id: `place ${href}`, ...entry, onAction: go(href) })),
      ],
    },
    {
      title: 'Up',
      items: ancestorsOf(here).flatMap((path) => {
        const label = titleOf(path);
        return label === undefined
          ? []
          : [{ id: `up ${path}`, label, icon: CornerLeftUp, detail: path, onAction: go(path) }];
      }),
    },
    {
      title: 'Recent',
      items: visited
        .filter(({ href }) => pathOf(href) !== here && !screens.some(({ to }) => hrefOf(to) === pathOf(href)))
        .slice(0, mostRecent)
        .map(({ href, title }) => ({
          id: `recent ${href}`,
          label: title,
          icon: History,
          detail: pathOf(href),
          onAction: go(href),
        })),
    },
    {
      title: everywhere,
      items: [
        ...shortcuts
          .filter(({ group, keys }) => group === everywhere && keys !== paletteKeys)
          .map(({ keys, label, run }) => ({
            id: `everywhere ${keys}`,
            label,
            shortcut: keys,
            onAction: run,
          })),
        ...environments
          .filter(({ id }) => id !== environment.id)
          .map(({ id, name }) => ({
            id: `environment ${id}`,
            label: `Environment: ${name}`,
            icon: Server,
            onAction: go(`/${id}`),
          })),
        ...themes
          .filter((item) => item.theme !== theme)
          .map((item) => ({
            id: `theme ${item.theme}`,
            label: item.label,
            icon: item.icon,
            onAction: () => {
              setTheme(item.theme);
            },
          })),
      ],
    },
  ];
  const targets: PaletteGroup = {
    title: 'Targets',
    items: (needle === '' ? [] : (found.data ?? [])).map(({ id, name, address }) => ({
      id: `target ${id}`,
      label: name,
      icon: TargetIcon,
      detail: address === '' ? id : `${id} ${address}`,
      onAction: go(`/${environment.id}/targets/${encodeURIComponent(id)}`),
    })),
  };
  const boxes: PaletteGroup = {
    title: 'Boxes',
    items: (needle === '' ? [] : (foundBoxes.data ?? [])).map(
      ({ tag, username, name, short_description: words, current_version: current }) => ({
        id: `box ${tag}`,
        label: tag,
        icon: BoxIcon,
        detail: [current?.version, words].filter(Boolean).join(' '),
        onAction: go(
          `/${environment.id}/boxes/owners/${encodeURIComponent(username)}/${encodeURIComponent(name)}`,
        ),
      }),
    ),
  };
  const modules: PaletteGroup = {
    title: 'Modules',
    items: (needle === '' ? [] : (foundModules.data ?? [])).map(
      ({ namespace, name, provider, version, description }) => ({
        id: `module ${namespace}/${name}/${provider}`,
        label: `${question.isWhoUses ? 'Who uses ' : ''}${namespace}/${name}/${provider}`,
        icon: ModuleIcon,
        detail: [version, description].filter(Boolean).join(' '),
        onAction: go(
          moduleHref(
            { environment: environment.id, namespace, name, provider },
            question.isWhoUses ? { tab: 'downloads' } : {},
          ),
        ),
      }),
    ),
  };
  const [plugins] = matchingGroups(
    [
      {
        title: 'Plugins',
        items: (foundPlugins.data?.items ?? []).map(({ id, type, name, version, sha256 }) => ({
          id: `plugin ${id}`,
          label: `${upgraded === undefined ? '' : 'Upgrade '}${type}/${name}`,
          icon: PluginIcon,
          detail: `Plugin ${[version, sha256.slice(0, 12)].filter(Boolean).join(' ')}`,
          onAction: go((upgraded === undefined ? pluginHref : upgradePluginHref)(environment.id, id)),
        })),
      },
    ],
    upgraded ?? needle,
  );
  const roles: PaletteGroup = {
    title: 'Cloud roles',
    items: (needle === '' ? [] : (foundRoles.data ?? [])).map(({ mount, name, type }) => ({
      id: `role ${mount}/${name}`,
      label: `${aboutRole.words}${name}`,
      icon: CloudRoleIcon,
      detail: [mount, type === null ? '' : typeInWords(type)].filter(Boolean).join(' '),
      onAction: go(cloudRoleHref({ environment: environment.id, mount, role: name }, aboutRole.tab)),
    })),
  };
  const searched = [
    targets,
    roles,
    boxes,
    modules,
    ...(needle === '' || plugins === undefined ? [] : [plugins]),
  ].filter(({ items }) => items.length > 0);
  const failed = [
    found.isError && 'targets',
    foundRoles.isError && 'cloud roles',
    foundBoxes.isError && 'boxes',
    foundModules.isError && 'modules',
    foundPlugins.isError && !isApiError(foundPlugins.error, 'forbidden', 'not-found') && 'plugins',
  ].filter(Boolean);
  return (
    <CommandPalette
      onClose={onClose}
      text={text}
      onTextChange={setText}
      groups={[...matchingGroups(known, text), ...searched]}
      isPending={
        text.trim() !== '' &&
        (needle !== text.trim() ||
          [found, foundRoles, foundBoxes, foundModules, foundPlugins].some((query) => query.isFetching))
      }
      placeholder="Search actions, places, targets, roles, boxes, modules and plugins"
      emptyText={
        failed.length > 0
          ? `No action or place matches, and the ${failed.join(' and ')} couldn't be searched.`
          : 'No results. Try a shorter search.'
      }
    />
  );
}

/** The addresses above one, the nearest first, down to the screen. */
function ancestorsOf(path: string): readonly string[] {
  const parts = path.split('/').filter(Boolean);
  return parts
    .slice(1, -1)
    .map((_, index) => `/${parts.slice(0, index + 2).join('/')}`)
    .toReversed();
}

/** A text once it was not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => {
      setSettled(text);
    }, typingMs);
    return () => {
      window.clearTimeout(timer);
    };
  }, [text]);
  return settled;
}
