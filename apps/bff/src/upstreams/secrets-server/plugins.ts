/** The plugin catalog. */
import { pluginTypes, type PluginKey, type PluginType } from '@gatehouse/api-types/console/plugin-values';
import type { Plugin } from '@gatehouse/api-types/console/plugins';
import {
  pluginCatalog,
  pluginPins,
  pluginsReloaded,
  registeredPlugin,
} from '@gatehouse/api-types/services/secrets-server';
import { buildPath, namesIn } from '../path.ts';
import { isAnswer, type SecretsCaller } from './client.ts';
import { ask, askFor, notStarted, type RefusalRule } from './refusals.ts';

/** An entry of the catalog's list. */
export interface CatalogEntry extends PluginKey {
  readonly builtin: boolean;
  readonly declarative: boolean;
  readonly sha256: string;
  readonly oci_image: string;
  readonly runtime: string;
  readonly deprecation_status: string;
}

/** An entry of the catalog read individually. */
export interface RegisteredPlugin extends CatalogEntry {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether the server would run the plugin; empty if the server doesn't report it. */
  readonly state: string;
  readonly state_reason: string;
  readonly file?: Plugin['file'] | undefined;
}

/** Every entry, sorted. The plain lists omit versions, so they are used only for servers without `detailed`. */
export async function listPlugins(caller: SecretsCaller): Promise<readonly CatalogEntry[]> {
  const { transport } = caller;
  const path = buildPath(`${transport.prefix}/v1/sys/plugins/catalog`);
  const { data } = await transport.parse(pluginCatalog, await caller.send({ method: 'GET', path }));
  const { detailed, ...plain } = data;
  const entries =
    detailed?.flatMap(({ type, ...entry }): CatalogEntry[] => {
      const known = pluginTypes.find((one) => one === type);
      return known === undefined ? [] : [{ ...entry, type: known }];
    }) ?? pluginTypes.flatMap((type) => plain[type].map((name) => named(type, name)));
  return entries.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function named(type: PluginType, name: string): CatalogEntry {
  return {
    type,
    name,
    version: '',
    builtin: false,
    declarative: false,
    sha256: '',
    oci_image: '',
    runtime: '',
    deprecation_status: '',
  };
}

function orderOf({ type, name, version }: PluginKey): string {
  return [type, name, version].join('\n');
}

/** @returns null if the plugin doesn't exist @throws ServiceError */
export async function readPlugin(caller: SecretsCaller, key: PluginKey): Promise<RegisteredPlugin | null> {
  const answer = await askFor(caller, { method: 'GET', path: catalogPath(caller, key, true) });
  const { data } = answer === null ? {} : await caller.transport.parse(registeredPlugin, answer);
  if (data === undefined || data === null) return null;
  // An old server ignores the version and returns the registration without one.
  if (data.version !== key.version) return null;
  return { ...data, type: key.type, name: key.name };
}

/** The fields of a registration. */
export interface PluginRegistration {
  readonly sha256: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: readonly string[] | undefined;
  readonly oci_image: string;
  readonly runtime: string;
}

const registerRules: readonly RefusalRule[] = [
  {
    says: /(?:missing|at least one of) sha-?256/i,
    field: 'sha256',
    means: "The server requires the plugin's SHA-256.",
  },
  {
    says: /decode sha-?256|sha-?256.*hex/i,
    field: 'sha256',
    means: 'Not a valid SHA-256. Enter 64 hexadecimal characters.',
  },
  { says: /missing command/i, field: 'command', means: 'A plugin needs a command.' },
  {
    says: /at least one of command or oci_image/i,
    field: 'command',
    means: 'A plugin needs a command or an image.',
  },
  {
    says: /args in command and args/i,
    field: 'args',
    means: 'Enter the arguments in the command or in their own field, not in both.',
  },
  {
    says: /not a valid semantic version|malformed version/i,
    field: 'version',
    means: "The server doesn't accept this version. Use a version such as v1.2.3.",
  },
  {
    says: /reserved metadata/i,
    field: 'version',
    means: 'Versions that contain "builtin" are reserved for the server.',
  },
  {
    says: /parent references/i,
    field: 'command',
    means: 'A command is a file in the server\'s plugin directory. It can\'t contain "..".',
  },
  {
    says: /command path|no such file|outside of|plugin directory/i,
    field: 'command',
    means: "The server can't find this file in its plugin directory. Copy it to every node first.",
  },
  { says: /runtime/i, field: 'runtime', means: "The server doesn't accept this runtime." },
  {
    says: /namespace/i,
    code: 'forbidden',
    means: 'The plugin catalog can only be changed in the root namespace.',
  },
  {
    says: /it is pinned|a pinned version/,
    means: 'This version is pinned. Remove the pin first.',
  },
  {
    says: /cannot be deleted/i,
    code: 'forbidden',
    means: "This plugin is built in and can't be deleted.",
  },
  {
    says: /declarative|configuration file/i,
    code: 'forbidden',
    means: "This plugin is declared in the server's configuration file. Change it there.",
  },
  notStarted,
];

/** Registers a plugin, replacing the registration with the same name and version. */
export async function registerPlugin(
  caller: SecretsCaller,
  key: PluginKey,
  fields: PluginRegistration,
): Promise<void> {
  const { sha256, command, args, env, oci_image, runtime } = fields;
  const body = {
    ...(sha256 !== '' && { sha256 }),
    ...(command !== '' && { command }),
    ...(args.length > 0 && { args }),
    ...(env !== undefined && { env }),
    ...(oci_image !== '' && { oci_image }),
    ...(runtime !== '' && { runtime }),
    ...(key.version !== '' && { version: key.version }),
  };
  await ask(caller, { method: 'POST', path: catalogPath(caller, key, false), body }, registerRules);
}

/** Deletes a registration, if it exists. */
export async function deletePlugin(caller: SecretsCaller, key: PluginKey): Promise<void> {
  await askFor(caller, { method: 'DELETE', path: catalogPath(caller, key, true) }, registerRules);
}

function catalogPath({ transport }: SecretsCaller, key: PluginKey, withVersion: boolean): string {
  const { type, name, version } = key;
  return buildPath(`${transport.prefix}/v1/sys/plugins/catalog`, [type, ...namesIn(name)], {
    query: { version: withVersion && version !== '' ? version : undefined },
  });
}

/** Paths as policies name them. */
export const policyPaths = {
  catalog: 'sys/plugins/catalog',
  plugin: ({ type, name }: Pick<PluginKey, 'type' | 'name'>) => `sys/plugins/catalog/${type}/${name}`,
  pin: ({ type, name }: Pick<PluginKey, 'type' | 'name'>) => `sys/plugins/pins/${type}/${name}`,
  reload: 'sys/plugins/reload/backend',
} as const;

/** The pinned versions; null if the server has no pins or doesn't show them. */
export async function listPins(caller: SecretsCaller): Promise<readonly PluginKey[] | null> {
  const { transport } = caller;
  try {
    const path = buildPath(`${transport.prefix}/v1/sys/plugins/pins`);
    const answer = await askFor(caller, { method: 'GET', path });
    if (answer === null) return [];
    return (await transport.parse(pluginPins, answer)).data.pinned_versions.flatMap(({ type, ...pin }) => {
      const known = pluginTypes.find((one) => one === type);
      return known === undefined ? [] : [{ type: known, ...pin }];
    });
  } catch (error) {
    if (isAnswer(error, 400, 403, 404, 405)) return null;
    throw error;
  }
}

const pinRules: readonly RefusalRule[] = [
  {
    says: /unsupported (?:path|operation)/,
    means: "This server can't pin versions: set the version of each mount instead.",
  },
  {
    says: /not found|not registered|no version/i,
    code: 'not-found',
    means: 'This version of the plugin is not registered.',
  },
];

export async function pinPlugin(caller: SecretsCaller, key: PluginKey): Promise<void> {
  const { version } = key;
  await ask(caller, { method: 'POST', path: pinPath(caller, key), body: { version } }, pinRules);
}

/** Removes a plugin's pin, if it has one. */
export async function unpinPlugin(caller: SecretsCaller, key: PluginKey): Promise<void> {
  await askFor(caller, { method: 'DELETE', path: pinPath(caller, key) }, pinRules);
}

function pinPath({ transport }: SecretsCaller, { type, name }: PluginKey): string {
  return buildPath(`${transport.prefix}/v1/sys/plugins/pins`, [type, ...namesIn(name)]);
}

const reloadRules: readonly RefusalRule[] = [
  {
    says: /no mount|not found|unknown|no matching/i,
    code: 'not-found',
    means: 'The server has no such plugin, or one of these paths has no mount.',
  },
  {
    says: /mismatch|checksum/i,
    means:
      "The SHA-256 of the plugin's file doesn't match its registration, so the plugin wasn't started. Replace the file, or register the plugin with its hash.",
  },
  { says: /^missing: /m, means: "The plugin's file is not in the server's plugin directory." },
  { says: /^unsupported: /m, means: 'This server runs only built-in plugins.' },
  notStarted,
];

/**
 * Reloads a plugin.
 * @param mounts default: all of the plugin's mounts
 * @returns the reload's ID; empty if the server gives none
 * @throws ServiceError
 */
export async function reloadPlugin(
  caller: SecretsCaller,
  { type, name }: PluginKey,
  mounts: readonly string[] | undefined,
): Promise<string> {
  const { transport } = caller;
  const prefix = `${transport.prefix}/v1/sys/plugins/reload`;
  const everyMount = (): ReturnType<typeof ask> =>
    ask(caller, { method: 'PUT', path: buildPath(prefix, ['backend']), body: { plugin: name } }, reloadRules);
  const answer =
    mounts === undefined
      ? await ask(caller, { method: 'PUT', path: buildPath(prefix, [type, ...namesIn(name)]) }).catch(
          (error: unknown) => {
            // Older servers reload plugins by name only.
            if (isAnswer(error, 400, 403, 404, 405)) return everyMount();
            throw error;
          },
        )
      : await ask(
          caller,
          {
            method: 'PUT',
            path: buildPath(prefix, ['backend']),
            body: { mounts: mounts.map((mount) => `${mount}/`) },
          },
          reloadRules,
        );
  if (answer.body === undefined) return '';
  return (await transport.parse(pluginsReloaded, answer)).data?.reload_id ?? '';
}
