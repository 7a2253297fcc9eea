import type { Plugin } from '@gatehouse/api-types/console/plugins';
import { PluginIcon } from '@gatehouse/ui/icon';
import { pluginName } from '#components/plugins/plugin-words.ts';
import type { ShownKind } from '#components/record/record-kind.ts';
import { plugins } from '#queries/plugins.ts';
import { reasonAgainstChanging } from './-catalog/may.ts';

/** How to show a registration. */
export const shownPlugins: ShownKind<Plugin> = {
  calls: plugins,
  noun: 'plugin',
  icon: PluginIcon,
  nameOf: pluginName,
  reasonAgainst: reasonAgainstChanging,
};
