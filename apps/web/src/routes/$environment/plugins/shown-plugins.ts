import type { Plugin } from '@gatehouse/api-types/console/plugins';
import { Plug } from 'lucide-react';
import type { ShownKind } from '#components/record/record-kind.ts';
import { plugins } from '#queries/plugins.ts';
import { reasonAgainstChanging } from './-catalog/may.ts';
import { pluginName } from './-catalog/plugin-words.ts';

/** What shows a registration. */
export const shownPlugins: ShownKind<Plugin> = {
  calls: plugins,
  noun: 'plugin',
  icon: Plug,
  nameOf: pluginName,
  reasonAgainst: reasonAgainstChanging,
};
