/** Why something cannot be done with plugins, in a sentence; undefined where it can, or where the server does not tell. */
import type { Plugin, PluginsMay, PluginSummary } from '@gatehouse/api-types/console/plugins';
import { isAlwaysMounted, isNamedByConnections, mountsOf, type Catalog } from './catalog.ts';

const lacking: Readonly<Record<keyof NonNullable<PluginsMay>, string>> = {
  read: 'Your policies do not let you read registrations: the catalog asks for sudo beside read.',
  register:
    'Your policies do not let you register plugins: the catalog asks for sudo beside create and update.',
  delete: 'Your policies do not let you delete registrations: the catalog asks for sudo beside delete.',
  reload: 'Your policies do not let you reload plugins.',
  pin: 'Your policies do not let you pin versions of plugins.',
  tune: 'Your policies do not let you set the version of a mount.',
};

export function reasonAgainst(may: PluginsMay | undefined, act: keyof typeof lacking): string | undefined {
  return may === null || may === undefined || may[act] ? undefined : lacking[act];
}

/** Why there is nothing to upgrade; undefined where there is something, or the mounts can't be read. */
export function nothingToUpgrade(
  plugin: Pick<PluginSummary, 'type' | 'name'>,
  mounts: Catalog['mounts'] | undefined,
): string | undefined {
  if (mounts === undefined || mounts === null) return undefined;
  if (isNamedByConnections(plugin)) {
    return 'Database connections name their plugin themselves, and the server does not say which use it. Register the new version, then set the connections to it.';
  }
  if (isAlwaysMounted(plugin)) return 'Every server mounts it by itself, as part of the server.';
  return mountsOf(mounts, plugin)?.length === 0
    ? 'No mount of this namespace runs it, so there is nothing to upgrade here. Register the new version instead.'
    : undefined;
}

/** Why a registration stays as it is, whoever asks. */
export function fixedReason({
  builtin,
  declarative,
}: Pick<PluginSummary, 'builtin' | 'declarative'>): string | undefined {
  if (builtin) return 'A built-in plugin is part of the server: it changes with the server alone.';
  if (declarative) return "It is written in the server's configuration file: change it there.";
  return undefined;
}

export function reasonAgainstChanging(
  plugin: Pick<Plugin, 'builtin' | 'declarative' | 'may'>,
  action: 'update' | 'delete',
): string | undefined {
  return fixedReason(plugin) ?? reasonAgainst(plugin.may, action === 'update' ? 'register' : 'delete');
}
