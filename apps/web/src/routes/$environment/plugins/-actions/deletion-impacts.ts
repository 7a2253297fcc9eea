import type { Plugin, PluginMount, PluginSummary } from '@gatehouse/api-types/console/plugins';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { mountWords } from '#components/plugins/plugin-words.ts';
import { isNamedByConnections, versionsOf, type Catalog } from '../-catalog/catalog.ts';

/** The effects of a deletion on mounts. @param catalog undefined if it couldn't be loaded */
export function deletionImpacts(plugin: Plugin, catalog: Catalog | undefined): readonly Impact[] {
  const { mounts, pinned_version: pinned, version } = plugin;
  const builtin =
    version === '' && catalog !== undefined
      ? versionsOf(catalog.items, plugin).find((other) => other.builtin)
      : undefined;
  return [
    ...(mounts ?? []).map((mount) => impactOn(mount, builtin)),
    ...(mounts === null || isNamedByConnections(plugin)
      ? [
          {
            kind: 'worth-knowing' as const,
            text: isNamedByConnections(plugin)
              ? 'Which database connections use this plugin is unknown. Connections that use it will fail at their next start.'
              : "Your policies don't let you list mounts, so which mounts use this plugin is unknown. Mounts that use it will fail at their next start.",
          },
        ]
      : []),
    ...(pinned !== null && pinned === version && version !== ''
      ? [
          {
            kind: 'breaks' as const,
            text: 'This version is pinned, so no mount of the plugin starts without it.',
          },
        ]
      : []),
  ];
}

/** @param builtin the built-in plugin that the mount would run instead; undefined if none */
function impactOn(mount: PluginMount, builtin: PluginSummary | undefined): Impact {
  if (builtin === undefined) {
    return {
      kind: 'breaks',
      text: `${mountWords(mount)} fails at its next reload, and when the server restarts.`,
    };
  }
  return mount.running_version === builtin.version
    ? { kind: 'updates-itself', text: `${mount.path} runs the built-in plugin and isn't affected.` }
    : {
        kind: 'breaks',
        text: `From its next start, ${mountWords(mount)} runs the built-in plugin, which may not be able to read this plugin's data.`,
      };
}
