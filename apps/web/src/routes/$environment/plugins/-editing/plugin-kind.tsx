/** Registrations as records that can be viewed, edited and deleted. */
import * as at from '@gatehouse/api-types/console/addresses/plugins';
import {
  fieldsOfPlugin,
  plugin,
  type NewPlugin,
  type Plugin,
  type PluginChanges,
} from '@gatehouse/api-types/console/plugins';
import { Banner } from '@gatehouse/ui/banner';
import { PluginIcon } from '@gatehouse/ui/icon';
import { changesNote, codeSetUp } from '#components/form/as-code.ts';
import { pluginName } from '#components/plugins/plugin-words.ts';
import type { RecordKind } from '#components/record/record-kind.ts';
import { plugins } from '#queries/plugins.ts';
import { reasonAgainstChanging } from '../-catalog/may.ts';
import { pluginAsCode } from './plugin-as-code.ts';
import { fieldsOfForm, formOfPlugin, pluginForm, pluginFormKey, type PluginForm } from './plugin-form.ts';

export const pluginKind: RecordKind<Plugin, PluginForm, NewPlugin, PluginChanges> = {
  calls: plugins,
  noun: 'plugin',
  icon: PluginIcon,
  nameOf: pluginName,
  reasonAgainst: reasonAgainstChanging,
  schema: plugin,
  fieldsOf: (item) => formOfPlugin(fieldsOfPlugin(item)),
  formOf: (_, { way }) => pluginForm(way),
  formKey: pluginFormKey,
  bodyOf: (changed, { values }) => changesOf(changed, values),
  anewOf: (form, { type, name, version }) => ({ ...fieldsOfForm(form), type, name, version }),
  anewNote: 'The plugin is registered again with your values. Mounts that run this plugin can start again.',
  savedWords: (item) => `${pluginName(item)} registered and verified`,
  code: {
    of: (_, { item, values }) => pluginAsCode(item, fieldsOfForm(values)),
    note: (hasChanges) => changesNote(hasChanges, codeSetUp.secrets),
  },
  noticeOf: () => (
    <Banner tone="warn" title="Saving registers the plugin again, without its environment" announce="none">
      Environment entries can be written but never read. Enter every entry that the plugin needs. Entries that
      you leave out are removed.
    </Banner>
  ),
  guardOf: ({ item, stored, values }) => {
    const isOther =
      stored.sha256 !== values.sha256 ||
      stored.command !== values.command ||
      stored.oci_image !== values.oci_image;
    const { mounts } = item;
    if (!isOther || mounts === null || mounts.length === 0) return undefined;
    return {
      harm: at.plugins.update.harm,
      title: `Register another binary as ${pluginName(item)}?`,
      confirmLabel: 'Save plugin',
      typedName: item.id,
      impacts: [
        ...mounts.map(({ path }) => ({
          kind: 'breaks' as const,
          text: `${path} fails at its next start on nodes where the file has a different hash.`,
        })),
        {
          kind: 'worth-knowing' as const,
          text: 'Current processes keep running until they are reloaded or the server restarts.',
        },
      ],
    };
  },
};

/** The changed fields, and the environment if entered. */
function changesOf(changed: Partial<PluginForm>, values: PluginForm): PluginChanges {
  const fields = fieldsOfForm(values);
  const { sha256, command, args, oci_image, runtime, env } = fields;
  const isOtherWay = changed.way !== undefined;
  return {
    ...(changed.sha256 !== undefined && { sha256 }),
    ...(changed.command !== undefined && { command }),
    ...(changed.args !== undefined && { args }),
    ...((isOtherWay || changed.oci_image !== undefined) && { oci_image }),
    ...((isOtherWay || changed.runtime !== undefined) && { runtime }),
    ...(env !== undefined && { env }),
  };
}
