import type { Request, Result, Route } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { textField, textListField } from '../../core/fields.ts';
import type { Mount } from '../../core/mount.ts';
import { badRequest } from '../../core/refusal.ts';
import { pluginTypes } from '../../domain/plugin/plugin.ts';
import type { PluginType } from '../../domain/plugin/plugin.ts';
import { mountPath } from '../mounts.ts';
import { namedPlugin } from './parameters.ts';

/**
 * sys/plugins/reload: restarts the plugins of mounts. Built-in plugins need no restart. If a mount is configured for
 * another plugin, the answer explains why that can't run, and the mount keeps running its current one.
 */
export function reloadRoutes({ plugins, mounts }: Context): Route[] {
  const ofPlugin = (name: string): readonly Mount[] => {
    if (!pluginTypes.some((type) => plugins.list(type).some((key) => key.name === name)))
      throw badRequest(`plugin not found in the catalog: ${name}`);
    return mounts.ofType(name);
  };
  const at = (path: string): Mount => {
    const mount = mounts.at('', mountPath(path));
    if (mount === undefined) throw badRequest(`no matching mount entry at "${mountPath(path)}"`);
    return mount;
  };
  const reload = async ({ id, body }: Request, reloaded: readonly Mount[]): Promise<Result> => {
    if (!['', 'global'].includes(textField(body, 'scope') ?? ''))
      throw badRequest("reload scope must be omitted or 'global'");
    for (const { type, path, pluginVersion } of reloaded) {
      if (path === 'sys/') continue;
      await plugins.refuseToRun(plugins.configured(kindOf(path), type, pluginVersion));
    }
    return {
      data: { reload_id: id },
      ...(reloaded.length === 0 && { warnings: ['no plugins were reloaded'] }),
    };
  };
  return [
    {
      path: 'plugins/reload/backend',
      fields: ['plugin', 'mounts', 'scope'],
      rootNamespaceOnly: true,
      operations: {
        update: (request) => {
          const plugin = textField(request.body, 'plugin') ?? '';
          const paths = textListField(request.body, 'mounts') ?? [];
          if (plugin !== '' && paths.length > 0)
            throw badRequest('plugin and mounts cannot be set at the same time');
          if (plugin === '' && paths.length === 0) throw badRequest('plugin or mounts must be provided');
          return reload(request, plugin === '' ? paths.map(at) : ofPlugin(plugin));
        },
      },
    },
    {
      path: 'plugins/reload/:type/:name',
      fields: ['scope'],
      rootNamespaceOnly: true,
      operations: {
        update: (request, params) => {
          // Vault's command sends this type if none is given.
          if (params['type'] === 'unknown') return reload(request, ofPlugin(params['name'] ?? ''));
          const { type, name } = namedPlugin(params);
          return reload(
            request,
            ofPlugin(name).filter(({ path }) => kindOf(path) === type),
          );
        },
      },
    },
  ];
}

/** The plugin type of a mount. */
function kindOf(path: string): PluginType {
  return path.startsWith('auth/') ? 'auth' : 'secret';
}
