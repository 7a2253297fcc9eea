import { resource } from '#operation/operation.ts';
import { inPlugins } from '#shared/secrets/plugin-calls.ts';
import { createPlugin } from './create-plugin.ts';
import { deletePlugin } from './delete-plugin.ts';
import { getPlugin } from './get-plugin.ts';
import { listPlugins } from './list-plugins.ts';
import { pinPlugin } from './pin-plugin.ts';
import { reloadPlugin } from './reload-plugin.ts';
import { tunePluginMount } from './tune-plugin-mount.ts';
import { unpinPlugin } from './unpin-plugin.ts';
import { updatePlugin } from './update-plugin.ts';

export const pluginOperations = resource(inPlugins, {
  'plugins.list': listPlugins,
  'plugins.get': getPlugin,
  'plugins.create': createPlugin,
  'plugins.update': updatePlugin,
  'plugins.delete': deletePlugin,
  'plugins.pin': pinPlugin,
  'plugins.unpin': unpinPlugin,
  'plugins.reload': reloadPlugin,
  'plugins.tuneMount': tunePluginMount,
});
