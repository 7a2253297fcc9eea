import * as at from '@gatehouse/api-types/console/addresses/plugins';
import { pluginIdOf } from '@gatehouse/api-types/console/plugin-values';
import type { Plugin } from '@gatehouse/api-types/console/plugins';
import type { ReactNode } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useUndoable } from '#components/guards/use-undoable.tsx';
import { pluginName } from '#components/plugins/plugin-words.ts';
import { usePluginWrites } from '#queries/plugins.ts';

/** Pins a version or removes its pin. Undo restores the previous pin. */
export function usePin(): { readonly run: (plugin: Plugin) => void; readonly question: ReactNode } {
  const environment = useEnvironment();
  const writes = usePluginWrites(environment.id);
  const { run, question } = useUndoable(at.plugins.pin.harm);
  return {
    question,
    run: (plugin) => {
      const { id, version, mounts } = plugin;
      const pinned = plugin.pinned_version ?? '';
      const before = pinned === '' ? undefined : pluginIdOf({ ...plugin, version: pinned });
      const isPinned = pinned === version;
      run({
        title: isPinned ? `Remove the pin of ${pluginName(plugin)}?` : `Pin ${pluginName(plugin)}?`,
        confirmLabel: isPinned ? 'Remove pin' : 'Pin version',
        impacts: [
          {
            kind: 'updates-itself',
            text: isPinned
              ? 'After its next reload, each mount runs the version it is set to.'
              : `Every mount of the plugin${mounts === null ? '' : ` (${mounts.length.toLocaleString('en')} run this version now)`} runs ${version} after its next reload, whatever version it is set to.`,
          },
        ],
        act: () => (isPinned ? writes.unpin(id, pinned) : writes.pin(id, pinned)),
        done: isPinned ? `${pluginName(plugin)} unpinned` : `${pluginName(plugin)} pinned`,
        undo: () =>
          isPinned
            ? writes.pin(id, '')
            : before === undefined
              ? writes.unpin(id, version)
              : writes.pin(before, version),
        undone: before === undefined || isPinned ? 'Pin change undone' : `${before} is pinned again`,
      });
    },
  };
}
