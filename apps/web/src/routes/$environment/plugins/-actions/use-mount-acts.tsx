import * as at from '@gatehouse/api-types/console/addresses/plugins';
import type { Plugin, PluginMount } from '@gatehouse/api-types/console/plugins';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useUndoable } from '#components/guards/use-undoable.tsx';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { usePluginWrites } from '#queries/plugins.ts';

const ReloadPlugin = lazy(async () => ({ default: (await import('./ReloadPlugin.tsx')).ReloadPlugin }));

/** What can be done with one mount of a plugin. */
export function useMountActs(plugin: Plugin): {
  readonly reload: (mount: PluginMount) => void;
  /** @param version empty to follow the catalog */
  readonly tune: (mount: PluginMount, version: string) => void;
  readonly question: ReactNode;
} {
  const environment = useEnvironment();
  const writes = usePluginWrites(environment.id);
  const undoable = useUndoable(at.plugins.tuneMount.harm);
  const [reloading, setReloading] = useState<PluginMount>();
  return {
    reload: setReloading,
    tune: ({ path, configured_version: before }, version) => {
      undoable.run({
        title: version === '' ? `Let ${path} follow the catalog?` : `Set ${path} to ${version}?`,
        confirmLabel: 'Set version',
        impacts: [
          {
            kind: 'worth-knowing',
            text: 'It runs what it runs now until it is reloaded or the server restarts.',
          },
        ],
        act: () => writes.tune(path, version),
        done: version === '' ? `${path} follows the catalog` : `${path} is set to ${version}`,
        undo: () => writes.tune(path, before),
        undone: before === '' ? `${path} follows the catalog again` : `${path} is set to ${before} again`,
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
