/** The forms for registrations. Environment values are write-only. */
import type { PluginType } from '@gatehouse/api-types/console/plugin-values';
import {
  newPlugin,
  pluginFields,
  pluginPolicy,
  sha256Of,
  type NewPlugin,
  type PluginFields,
} from '@gatehouse/api-types/console/plugins';
import { map, opaque, record, scalar } from '@gatehouse/record-merge/policy';
import { lazy } from '@gatehouse/ui/lazy';
import { keyOfPair } from '@gatehouse/ui/pairs-field';
import type { FieldPath } from 'react-hook-form';
import * as z from 'zod/mini';
import type { FieldSpec, FormSection, RecordFormSpec } from '#components/form/record-form.ts';
import { typeWords } from '#components/plugins/plugin-words.ts';

const HashEditor = lazy(async () => ({ default: (await import('./HashEditor.tsx')).HashEditor }));
const HashField = lazy(async () => ({ default: (await import('./HashEditor.tsx')).HashField }));
const EnvEditor = lazy(async () => ({ default: (await import('./EnvEditor.tsx')).EnvEditor }));
const EnvEntryEditor = lazy(async () => ({ default: (await import('./EnvEditor.tsx')).EnvEntryEditor }));

/** What the server runs. */
const ways = ['binary', 'image'] as const;
type Way = (typeof ways)[number];

/** A registration in the form. */
export interface PluginForm extends Omit<PluginFields, 'env'> {
  way: Way;
  /** Values by name. */
  env: Record<string, string>;
}

export interface NewPluginForm extends PluginForm {
  type: PluginType | '';
  name: string;
  version: string;
}

export function formOfPlugin(fields: PluginFields): PluginForm {
  return { ...fields, way: fields.oci_image === '' ? 'binary' : 'image', env: {} };
}

/** The body to send: only the chosen program's fields, a hex hash, and the environment if entered. */
export function fieldsOfForm({ way, env, sha256, oci_image, runtime, ...fields }: PluginForm): PluginFields {
  const entries = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return {
    ...fields,
    sha256: sha256Of(sha256) ?? sha256,
    oci_image: way === 'image' ? oci_image : '',
    runtime: way === 'image' ? runtime : '',
    ...(entries.length > 0 && { env: entries }),
  };
}

/** The body of a new registration. */
export function newPluginOf({ type, name, version, ...form }: NewPluginForm): NewPlugin {
  return { ...fieldsOfForm(form), type: type === '' ? 'secret' : type, name, version };
}

/** What is wrong with environment entries; undefined if nothing. */
export function envProblem(entries: Readonly<Record<string, string>>): string | undefined {
  for (const written of Object.keys(entries)) {
    const { key, isRepeated } = keyOfPair(written);
    if (isRepeated) return `${key} is listed twice.`;
    if (key === '') return 'Enter a name for each value.';
    if (!/^[^=\s]+$/.test(key)) return `${key}: names can't contain spaces or equals signs.`;
  }
  return undefined;
}

const env = z.record(z.string(), z.string()).check(
  z.superRefine((entries, context) => {
    const message = envProblem(entries);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
);

const formFields = { ...pluginFields.shape, way: z.enum(ways), env };

/** Checks the fields that depend on what it runs. */
function checkWay({ way, command, oci_image: image }: PluginForm, context: Refinement): void {
  if (way === 'binary' && command.trim() === '') {
    context.addIssue({
      code: 'custom',
      path: ['command'],
      message: 'Enter the file name of the binary in the plugin directory.',
    });
  }
  if (way === 'image' && image.trim() === '') {
    context.addIssue({
      code: 'custom',
      path: ['oci_image'],
      message: 'Enter the image, without its tag.',
    });
  }
}

/** Requires a hash for a new registration, whether it runs a binary or an image. */
function checkHash({ sha256, way }: PluginForm, context: Refinement): void {
  if (sha256.trim() !== '') return;
  context.addIssue({
    code: 'custom',
    path: ['sha256'],
    message:
      way === 'binary' ? 'Choose the binary, or enter its SHA-256.' : 'Enter the SHA-256 of the image.',
  });
}

interface Refinement {
  addIssue: (issue: { code: 'custom'; path: string[]; message: string }) => void;
}

const policy = record(
  { ...pluginPolicy.fields, env: map(opaque), way: scalar },
  { groups: [{ name: 'binary', fields: ['way', 'sha256', 'command', 'oci_image'] }] },
);

/** Every path is a field of PluginForm, which Values extends. */
function field<Values extends PluginForm>(
  path: FieldPath<PluginForm>,
  rest: Omit<FieldSpec<Values>, 'path'>,
): FieldSpec<Values> {
  return { path: path as FieldPath<Values>, ...rest };
}

function wayField<Values extends PluginForm>(): FieldSpec<Values> {
  return field('way', {
    label: 'Runs from',
    input: {
      kind: 'choice',
      options: [
        { value: 'binary', label: 'A binary', description: 'A file in the plugin directory of each node' },
        {
          value: 'image',
          label: 'A container image',
          description: 'Requires a plugin runtime on the server',
        },
      ],
    },
    show: (value) => (value === 'image' ? 'A container image' : 'A binary'),
  });
}

/** @param isNew requires a hash; an existing registration without one is the vendor's */
function programSections<Values extends PluginForm>(
  way: Way,
  isNew: boolean,
): readonly FormSection<Values>[] {
  const isImage = way === 'image';
  return [
    {
      title: isImage ? 'Image' : 'Binary',
      fields: [
        wayField<Values>(),
        ...(isImage
          ? [
              field<Values>('oci_image', {
                label: 'Image',
                input: { kind: 'text', isMono: true, placeholder: 'ghcr.io/acme/vault-plugin-secrets-mine' },
                isRequired: true,
                description: 'Without the tag. The server uses the version as the tag, without a leading v.',
              }),
              field<Values>('runtime', {
                label: 'Runtime',
                input: { kind: 'text', isMono: true },
                description: "One of the server's runtimes. Leave empty for the default.",
              }),
            ]
          : []),
        field<Values>('sha256', {
          label: 'SHA-256',
          input: { kind: 'editor', Editor: isImage ? HashField : HashEditor },
          ...(isNew && { isRequired: true }),
        }),
        field<Values>('command', {
          label: 'Command',
          input: { kind: 'text', isMono: true, placeholder: 'vault-plugin-secrets-mine' },
          ...(!isImage && { isRequired: true }),
          description: isImage
            ? "Replaces the image's entry point. Leave empty to keep it."
            : 'The name of the file in the plugin directory, without arguments.',
        }),
      ],
    },
    {
      title: 'Startup',
      fields: [
        field<Values>('args', {
          label: 'Arguments',
          input: { kind: 'list', noun: 'argument', placeholder: '--log-level=info' },
        }),
        field<Values>('env', {
          label: 'Environment',
          input: { kind: 'map', Editor: EnvEditor, EntryEditor: EnvEntryEditor },
        }),
      ],
    },
  ];
}

/** Selects the form that is shown. */
export const pluginFormKey = ({ way }: PluginForm): string => way;

/** The other program's fields, which a conflict may concern. */
function otherFields<Values extends PluginForm>(way: Way): readonly FieldSpec<Values>[] {
  if (way === 'image') return [];
  return [
    field('oci_image', { label: 'Image', input: { kind: 'text', isMono: true } }),
    field('runtime', { label: 'Runtime', input: { kind: 'text', isMono: true } }),
  ];
}

/** The form of an existing registration. */
export function pluginForm(way: Way): RecordFormSpec<PluginForm> {
  return {
    noun: 'plugin',
    schema: z.strictObject(formFields).check(z.superRefine(checkWay)),
    policy,
    sections: programSections<PluginForm>(way, false),
    inConflict: otherFields<PluginForm>(way),
    otherLabels: { binary: 'Runs from' },
  };
}

export function newPluginForm(way: Way): RecordFormSpec<NewPluginForm> {
  return {
    noun: 'plugin',
    schema: z
      .strictObject({
        ...formFields,
        type: z
          .union([newPlugin.shape.type, z.literal('')])
          .check(z.refine((type) => type !== '', 'Choose a type.')),
        name: newPlugin.shape.name,
        version: newPlugin.shape.version,
      })
      .check(z.superRefine(checkWay), z.superRefine(checkHash)),
    policy: record({ ...policy.fields, type: scalar, name: scalar, version: scalar }),
    sections: [
      {
        title: 'Identity',
        fields: [
          {
            path: 'type',
            label: 'Type',
            isRequired: true,
            input: {
              kind: 'choice',
              options: [
                {
                  value: 'secret',
                  label: typeWords.secret,
                  description: 'An engine that stores or issues secrets',
                },
                { value: 'auth', label: typeWords.auth, description: 'An auth method' },
                {
                  value: 'database',
                  label: typeWords.database,
                  description: 'A type of database, for the database engine',
                },
              ],
            },
          },
          {
            path: 'name',
            label: 'Name',
            isRequired: true,
            input: { kind: 'text', isMono: true, placeholder: 'vault-plugin-secrets-mine' },
            description:
              'The name used to mount the plugin. A registration without a version shadows the built-in plugin of the same name.',
          },
          {
            path: 'version',
            label: 'Version',
            input: { kind: 'text', isMono: true, placeholder: 'v1.2.3' },
            description:
              'Several versions can be registered. Mounts without a configured version run the registration without a version.',
          },
        ],
      },
      ...programSections<NewPluginForm>(way, true),
    ],
  };
}

export const blankPlugin: NewPluginForm = {
  type: '',
  name: '',
  version: '',
  way: 'binary',
  sha256: '',
  command: '',
  args: [],
  env: {},
  oci_image: '',
  runtime: '',
};
