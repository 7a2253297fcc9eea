import * as at from '@gatehouse/api-types/console/addresses/plugins';
import type { Plugin } from '@gatehouse/api-types/console/plugins';
import { Checkbox } from '@gatehouse/ui/checkbox';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useLadder } from '#components/guards/use-ladder.ts';
import { pluginName } from '#components/plugins/plugin-words.ts';
import { counted } from '#lib/counted.ts';
import { failureTitle, wordsOf } from '#lib/error-words.ts';
import { usePluginWrites } from '#queries/plugins.ts';

/** Asks for the mounts on which to reload a plugin. */
export function ReloadPlugin({
  plugin,
  chosen,
  onClose,
}: {
  plugin: Plugin;
  /** The initially selected mount; all if absent. */
  chosen?: string;
  onClose: () => void;
}) {
  const environment = useEnvironment();
  const writes = usePluginWrites(environment.id);
  const { asks } = useLadder(at.plugins.reload.harm, plugin.name);
  const all = plugin.mounts?.map(({ path }) => path) ?? [];
  const [paths, setPaths] = useState<ReadonlySet<string>>(new Set(chosen === undefined ? all : [chosen]));
  const [isNone, setNone] = useState(false);
  const isAll = plugin.mounts === null || paths.size === all.length;
  const reload = useMutation({
    mutationFn: () => writes.reload(plugin.id, isAll ? undefined : all.filter((path) => paths.has(path))),
    onSuccess: () => {
      toasts.ok({
        title: `${pluginName(plugin)} reloaded`,
        detail:
          plugin.mounts === null
            ? 'Reloaded on all its mounts, on the node that responded. If the cluster has other nodes, reload the plugin on each of them.'
            : `Reloaded on ${counted(paths.size, 'mount')}, on the node that responded. If the cluster has other nodes, reload the plugin on each of them.`,
      });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && !reload.isPending) onClose();
      }}
      title={`Reload ${pluginName(plugin)}?`}
      confirmLabel="Reload plugin"
      tone="primary"
      {...asks}
      impacts={[
        {
          kind: 'breaks',
          text: 'The plugin is restarted, and its in-flight requests fail.',
        },
        {
          kind: 'worth-knowing',
          text: "If its binary doesn't match the registration, the plugin won't start, and its mounts return errors until it does.",
        },
      ]}
      isPending={reload.isPending}
      errorTitle={failureTitle(reload.error)}
      error={
        isNone && paths.size === 0 && all.length > 0
          ? 'Choose at least one mount.'
          : reload.isError
            ? `${wordsOf(reload.error).title}. ${wordsOf(reload.error).detail}`
            : undefined
      }
      onConfirm={() => {
        if (paths.size === 0 && all.length > 0) setNone(true);
        else reload.mutate();
      }}
    >
      {all.length > 0 && (
        <fieldset className="flex flex-col gap-1.5">
          <legend className="mb-1 text-body text-ink-1">Mounts to reload</legend>
          {all.map((path) => (
            <Checkbox
              key={path}
              isSelected={paths.has(path)}
              onChange={(isOn) => {
                const next = new Set(paths);
                if (isOn) next.add(path);
                else next.delete(path);
                setPaths(next);
              }}
            >
              {path}
            </Checkbox>
          ))}
        </fieldset>
      )}
    </ConfirmDialog>
  );
}
