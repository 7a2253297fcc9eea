/** Why an action on plugins isn't possible; undefined if it is, or the server doesn't report capabilities. */
import type { Plugin, PluginsMay, PluginSummary } from '@gatehouse/api-types/console/plugins';
import { isAlwaysMounted, isNamedByConnections, mountsOf, type Catalog } from './catalog.ts';

const lacking: Readonly<Record<keyof NonNullable<PluginsMay>, string>> = {
  read: "Your policies don't let you read registrations. The catalog requires sudo as well as read.",
  register:
    "Your policies don't let you register plugins. The catalog requires sudo as well as create and update.",
  delete: "Your policies don't let you delete registrations. The catalog requires sudo as well as delete.",
  reload: "Your policies don't let you reload plugins.",
  pin: "Your policies don't let you pin plugin versions.",
  tune: "Your policies don't let you set the version of a mount.",
};

export function reasonAgainst(may: PluginsMay | undefined, act: keyof typeof lacking): string | undefined {
  return may === null || may === undefined || may[act] ? undefined : lacking[act];
}

/** Why there is nothing to upgrade; undefined if there is, or the mounts can't be read. */
export function nothingToUpgrade(
  plugin: Pick<PluginSummary, 'type' | 'name'>,
  mounts: Catalog['mounts'] | undefined,
): string | undefined {
  if (mounts === undefined || mounts === null) return undefined;
  if (isNamedByConnections(plugin)) {
    return "Each database connection sets its own plugin, and the server doesn't report which connections use this one. Register the new version, then set the connections to it.";
  }
  if (isAlwaysMounted(plugin))
    return 'This plugin is built into the server and always mounted, so it can only be upgraded with the server.';
  return mountsOf(mounts, plugin)?.length === 0
    ? 'No mount in this namespace runs this plugin, so no mount can be upgraded. Register the new version instead.'
    : undefined;
}

/** Why a registration can't be changed by anyone. */
export function fixedReason({
  builtin,
  declarative,
}: Pick<PluginSummary, 'builtin' | 'declarative'>): string | undefined {
  if (builtin) return 'A built-in plugin is part of the server and only changes when the server is upgraded.';
  if (declarative) return "This plugin is declared in the server's configuration file. Change it there.";
  return undefined;
}

export function reasonAgainstChanging(
  plugin: Pick<Plugin, 'builtin' | 'declarative' | 'may'>,
  action: 'update' | 'delete',
): string | undefined {
  return fixedReason(plugin) ?? reasonAgainst(plugin.may, action === 'update' ? 'register' : 'delete');
}
