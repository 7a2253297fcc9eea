import type { Plugin } from '@gatehouse/api-types/console/plugins';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { versionsOf, type Catalog } from '../-catalog/catalog.ts';
import { mountWords } from '../-catalog/plugin-words.ts';

/** What becomes of the mounts of a registration that is deleted. @param catalog undefined where it could not be loaded */
export function deletionImpacts(plugin: Plugin, catalog: Catalog | undefined): readonly Impact[] {
  const { mounts, pinned_version: pinned, version } = plugin;
  const builtin =
    version === '' && catalog !== undefined
      ? versionsOf(catalog.items, plugin).find((other) => other.builtin)
      : undefined;
  return [
    ...(mounts ?? []).map((mount): Impact => ({
      kind: 'breaks',
      text:
        builtin === undefined
          ? `${mountWords(mount)} fails at its next reload, and when the server restarts.`
          : `${mountWords(mount)} runs the built-in plugin from its next start, which may not read what this one wrote.`,
    })),
    ...(mounts === null
      ? [
          {
            kind: 'worth-knowing' as const,
            text: 'Which mounts run it is not known: your policies do not let you list them. Those that do fail at their next start.',
          },
        ]
      : []),
    ...(pinned !== null && pinned === version && version !== ''
      ? [{ kind: 'breaks' as const, text: 'It is pinned: no mount of the plugin starts without it.' }]
      : []),
  ];
}
