import type { Route } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { textField, textListField } from '../../core/fields.ts';
import type { Mount } from '../../core/mount.ts';
import { badRequest } from '../../core/refusal.ts';
import { pluginTypes } from '../../domain/plugin/plugin.ts';
import { mountPath } from '../mounts.ts';

/**
 * sys/plugins/reload/backend: starts what mounts are configured for. What is part of the server has nothing to start;
 * where another plugin is configured, the answer says why it isn't run, and the mount runs what it ran before.
 */
export function reloadRoute({ plugins, mounts }: Context): Route {
  const ofPlugin = (name: string): readonly Mount[] => {
    if (!pluginTypes.some((type) => plugins.list(type).some(({ key }) => key.name === name)))
      throw badRequest(`plugin not found in the catalog: ${name}`);
    return mounts.ofType(name);
  };
  const at = (path: string): Mount => {
    const mount = mounts.at('', mountPath(path));
    if (mount === undefined) throw badRequest(`no matching mount entry at "${mountPath(path)}"`);
    return mount;
  };
  return {
    path: 'plugins/reload/backend',
    fields: ['plugin', 'mounts', 'scope'],
    rootNamespaceOnly: true,
    operations: {
      update: async ({ id, body }) => {
        const plugin = textField(body, 'plugin') ?? '';
        const paths = textListField(body, 'mounts') ?? [];
        if (!['', 'global'].includes(textField(body, 'scope') ?? ''))
          throw badRequest("reload scope must be omitted or 'global'");
        if (plugin !== '' && paths.length > 0)
          throw badRequest('plugin and mounts cannot be set at the same time');
        if (plugin === '' && paths.length === 0) throw badRequest('plugin or mounts must be provided');
        const reloaded = plugin === '' ? paths.map(at) : ofPlugin(plugin);
        for (const { type, path, pluginVersion } of reloaded) {
          if (path === 'sys/') continue;
          const kind = path.startsWith('auth/') ? 'auth' : 'secret';
          await plugins.refuseToRun(plugins.configured(kind, type, pluginVersion));
        }
        return {
          data: { reload_id: id },
          ...(reloaded.length === 0 && { warnings: ['no plugins were reloaded'] }),
        };
      },
    },
  };
}
