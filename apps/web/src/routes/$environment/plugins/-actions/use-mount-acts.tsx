import * as at from '@gatehouse/api-types/console/addresses/plugins';
import type { Plugin, PluginMount } from '@gatehouse/api-types/console/plugins';
import { lazy } from '@gatehouse/ui/lazy';
import { Suspense, useState, type ReactNode } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useUndoable } from '#components/guards/use-undoable.tsx';
import { usePluginWrites } from '#queries/plugins.ts';
import { settingOf } from '../-catalog/catalog.ts';

const ReloadPlugin = lazy(async () => ({ default: (await import('./ReloadPlugin.tsx')).ReloadPlugin }));

/** The actions on one mount of a plugin. */
export function useMountActs(plugin: Plugin): {
  readonly reload: (mount: PluginMount) => void;
  /** @param version empty for the catalog's default */
  readonly tune: (mount: PluginMount, version: string) => void;
  readonly question: ReactNode;
} {
  const environment = useEnvironment();
  const writes = usePluginWrites(environment.id);
  const undoable = useUndoable(at.plugins.tuneMount.harm);
  const [reloading, setReloading] = useState<PluginMount>();
  return {
    reload: setReloading,
    tune: (mount, version) => {
      const { path } = mount;
      const before = settingOf(mount);
      // The server replaces an empty version with one from the catalog.
      let set = version;
      undoable.run({
        title: version === '' ? `Set ${path} to the catalog's default?` : `Set ${path} to ${version}?`,
        confirmLabel: 'Set version',
        impacts: [
          {
            kind: 'worth-knowing',
            text: `${path} keeps running the current version until it is reloaded or the server restarts.`,
          },
        ],
        act: async () => {
          set = (await writes.tune(path, version, mount.configured_version)).configured_version;
        },
        done: version === '' ? `${path} is set to the catalog's default` : `${path} is set to ${version}`,
        undo: () => writes.tune(path, before, set),
        undone:
          before === ''
            ? `${path} is set to the catalog's default again`
            : `${path} is set to ${before} again`,
      });
    },
    question: (
      <>
        {undoable.question}
        {reloading !== undefined && (
          <Suspense fallback={null}>
            <ReloadPlugin
              plugin={plugin}
              chosen={reloading.path}
              onClose={() => {
                setReloading(undefined);
              }}
            />
          </Suspense>
        )}
      </>
    ),
  };
}
