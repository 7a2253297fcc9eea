/**
 * The plugin catalog of the secrets server: registrations, and the mounts that run them. Environment entries are
 * written but never returned.
 */
import * as z from 'zod/mini';
import { defineEndpoint, defineRecord, defineResource } from '../contract.ts';
import * as at from './addresses/plugins.ts';
import { atMost } from './at-most.ts';
import { asSecret, policyOf } from './field-kinds.ts';
import { line } from './line.ts';
import { semanticVersion } from './module-values.ts';
import { isBuiltinVersion, pluginKeyOf, pluginTypes } from './plugin-values.ts';
import { changeErrors, environmentParams, guardedErrors, mountPath, readErrors } from './secret-names.ts';
import { environmentId } from './service.ts';

const hex = /^[0-9a-f]{64}$/;

/** The SHA-256 in a text, as lowercase hex; undefined if it is neither hex nor base64 of one. */
export function sha256Of(text: string): string | undefined {
  const plain = text.trim().replace(/^sha256[:-]/i, '');
  if (hex.test(plain.toLowerCase())) return plain.toLowerCase();
  if (!/^[0-9A-Za-z+/_-]{43}=?$/.test(plain)) return undefined;
  const bytes = atob(plain.replaceAll('-', '+').replaceAll('_', '/').replace(/=?$/, '='));
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

/** A mount that runs a plugin: an engine, or an auth method below `auth/`. */
export const pluginMount = z.object({
  /** Without a trailing slash. */
  path: mountPath,
  type: z.enum(pluginTypes),
  /** The plugin's name. */
  plugin: z.string(),
  description: z.string(),
  /** The version set for the mount; empty if it follows the catalog. */
  configured_version: z.string(),
  /** The version running on the node that answered; empty if not reported. */
  running_version: z.string(),
  running_sha256: z.string(),
});
export type PluginMount = z.output<typeof pluginMount>;

const listed = {
  /** `secret/mine@v1.2.3`. */
  id: z.string(),
  type: z.enum(pluginTypes),
  name: z.string(),
  /** Empty for a registration without a version. */
  version: z.string(),
  builtin: z.boolean(),
  /** Defined in the server's configuration file, so it can't be changed here. */
  declarative: z.boolean(),
  /** Lowercase hex; empty for built-in plugins, and if the server doesn't report it. */
  sha256: z.string(),
  oci_image: z.string(),
  runtime: z.string(),
  /** `supported`, `deprecated`, `pending-removal`, `removed`; empty if the server doesn't report it. */
  deprecation_status: z.string(),
};

export const pluginSummary = z.object({
  ...listed,
  /** Whether a registration without a version replaces this built-in plugin of the same name. */
  shadowed: z.boolean(),
});
export type PluginSummary = z.output<typeof pluginSummary>;

/** The caller's rights; null if the server doesn't report them. The catalog also requires `sudo`. */
export const pluginsMay = z.nullable(
  z.object({
    read: z.boolean(),
    register: z.boolean(),
    delete: z.boolean(),
    reload: z.boolean(),
    pin: z.boolean(),
    tune: z.boolean(),
  }),
);
export type PluginsMay = z.output<typeof pluginsMay>;

/** Whether the server would run the plugin, if it reports this. */
export const pluginStates = ['runs', 'mismatch', 'missing', 'unsupported', 'unknown'] as const;

export const plugin = z.object({
  ...listed,
  /** A hash of the registration. */
  revision: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  state: z.enum(pluginStates),
  /** Why the server wouldn't run it; empty if it would, or doesn't report it. */
  state_reason: z.string(),
  /** The file on the node that answered; null if the plugin is none, or the server doesn't report it. */
  file: z.nullable(
    z.object({
      /** Where it is, or should be. */
      path: z.string(),
      /** Of its current content; empty if it can't be read. */
      sha256: z.string(),
    }),
  ),
  /** The mounts that run it, or would after a restart; null if they can't be read. */
  mounts: z.nullable(z.array(pluginMount)),
  /** The version pinned for its name; empty for none, null if the server has no pins. */
  pinned_version: z.nullable(z.string()),
  may: pluginsMay,
});
export type Plugin = z.output<typeof plugin>;

const sha256 = z.string().check(
  z.trim(),
  z.refine(
    (text) => text === '' || sha256Of(text) !== undefined,
    'Enter the SHA-256 as 64 hexadecimal digits or in base64.',
  ),
);

/** The fields of a registration that a user edits. */
export const pluginFields = z.strictObject({
  /** Hex or base64. Required, except for a vendor's plugin (empty `sha256`). */
  sha256,
  /** Relative to the plugin directory, or in the image. */
  command: line('A command', 1024),
  args: z
    .array(z.string().check(z.maxLength(4096)))
    .check(z.maxLength(256, 'A command can have up to 256 arguments.')),
  /** Entries `NAME=value`. They can't be read, and saving a registration without them deletes them. */
  env: z.optional(
    asSecret(
      z
        .array(
          z
            .string()
            .check(
              atMost(32 * 1024, 'An entry must be 32,768 characters or fewer.'),
              z.regex(/^[^=\s]+=/, 'Enter an environment variable as NAME=value.'),
            ),
        )
        .check(z.maxLength(256, 'There can be up to 256 entries.')),
    ),
  ),
  oci_image: line('An image name', 1024),
  runtime: line('A runtime', 1024),
});
export type PluginFields = z.output<typeof pluginFields>;

export const pluginPolicy = policyOf(pluginFields, {
  groups: [{ name: 'binary', fields: ['sha256', 'command', 'oci_image'] }],
});

/** The editable fields of a registration; its environment can't be read. */
export function fieldsOfPlugin({ sha256: hash, command, args, oci_image, runtime }: Plugin): PluginFields {
  return { sha256: hash, command, args: [...args], oci_image, runtime };
}

/** A registered or built-in version; empty for none. */
const anyVersion = z.string().check(
  z.trim(),
  atMost(100, 'A version must be 100 characters or fewer.'),
  z.refine(
    (text) => text === '' || semanticVersion.test(text.replace(/^v/, '')),
    'Enter a version such as v1.2.3.',
  ),
);
const version = anyVersion.check(
  z.refine((text) => !isBuiltinVersion(text), 'Versions that contain "builtin" are reserved for the server.'),
);

export const newPlugin = z.strictObject({
  ...pluginFields.shape,
  type: z.enum(pluginTypes),
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'A plugin needs a name.'),
      atMost(128, 'A name must be 128 characters or fewer.'),
      z.regex(/^[\w.-]*$/, 'A name can only contain letters, digits, ".", "_" and "-".'),
    ),
  /** Empty for a registration without a version. */
  version,
});
export type NewPlugin = z.input<typeof newPlugin>;

/** Only the changed fields. */
export const pluginChanges = z.partial(pluginFields);
export type PluginChanges = z.input<typeof pluginChanges>;

const pluginId = z
  .string()
  .check(
    z.refine(
      (id) => pluginKeyOf(id) !== undefined,
      'No plugin has this name: enter auth/, database/ or secret/ and its name, with a version as in secret/mine@v1.2.3, or choose one from the list of plugins.',
    ),
  );
const pluginParams = z.strictObject({ environment: environmentId, plugin: pluginId });

export const plugins = defineResource(() => ({
  list: defineEndpoint(at.plugins.list, {
    summary: 'Every registered and built-in plugin, and the mounts that run them',
    params: environmentParams,
    response: z.object({
      items: z.array(pluginSummary),
      /** Null if the mounts can't be read. */
      mounts: z.nullable(z.array(pluginMount)),
      /** Null if the server has no pins. */
      pins: z.nullable(
        z.array(z.object({ type: z.enum(pluginTypes), name: z.string(), version: z.string() })),
      ),
      may: pluginsMay,
    }),
    errors: readErrors,
  }),
  ...defineRecord(at.plugins, {
    place: environmentParams,
    one: pluginParams,
    record: plugin,
    fields: newPlugin,
    changes: pluginChanges,
    get: { summary: 'A registration, and the mounts that run it', errors: readErrors },
    create: {
      summary: 'Register a plugin; the registration is read back and compared',
      errors: [...changeErrors, 'conflict'],
    },
    update: { summary: 'Edit the registration of a plugin', errors: guardedErrors },
    delete: {
      summary: 'Delete a registration; mounts that need it fail at their next start',
      errors: guardedErrors,
    },
  }),
  pin: defineEndpoint(at.plugins.pin, {
    summary: 'Pin a version: all mounts of the plugin run it, whatever version they are set to',
    params: pluginParams,
    // With the previously pinned version.
    guarded: true,
    errors: guardedErrors,
  }),
  unpin: defineEndpoint(at.plugins.unpin, {
    summary: 'Remove the pin of a plugin',
    params: pluginParams,
    guarded: true,
    errors: guardedErrors,
  }),
  reload: defineEndpoint(at.plugins.reload, {
    summary: 'Reload a plugin on all its mounts, or on some',
    params: pluginParams,
    body: z.strictObject({
      /** All mounts of the plugin unless given. */
      mounts: z.optional(z.array(mountPath).check(z.minLength(1), z.maxLength(1000))),
    }),
    response: z.object({ reload_id: z.string() }),
    errors: changeErrors,
  }),
  tuneMount: defineEndpoint(at.plugins.tuneMount, {
    summary: 'Set the version a mount runs after its next reload',
    params: z.strictObject({ environment: environmentId, mount: mountPath }),
    body: z.strictObject({
      /**
       * Empty for the catalog's choice: a registration without a version, the built-in plugin, or the newest version. The
       * built-in version is stored as empty.
       */
      plugin_version: anyVersion,
    }),
    response: pluginMount,
    // With the version that was set before.
    guarded: true,
    errors: guardedErrors,
  }),
}));
