import { badRequest } from '../core/refusal.ts';
import { pluginInWords } from '../domain/plugin/plugin.ts';
import type { Plugin, PluginCheck, PluginKey, PluginType } from '../domain/plugin/plugin.ts';
import { canonicalVersion, compareVersions, saysBuiltin } from '../domain/plugin/version.ts';
import type { PluginStore } from '../store/plugins.ts';
import { builtinOf, builtinVersion, builtins } from './builtins.ts';
import { PluginFileFault } from './plugin-files.ts';
import type { PluginFiles } from './plugin-files.ts';

/** A plugin of the catalog. `registered` is undefined for a built-in plugin. */
export interface Listed {
  readonly key: PluginKey;
  readonly registered: Plugin | undefined;
}

/** The plugin that a mount should run. */
export interface Choice {
  /** The version that the mount is configured for; empty for a built-in plugin or a registration without a version. */
  readonly version: string;
  /** Undefined for a built-in plugin. */
  readonly plugin: Plugin | undefined;
}

/** The plugin catalog: registered and built-in plugins. */
export type PluginCatalog = ReturnType<typeof pluginCatalog>;

export function pluginCatalog(store: PluginStore, files: PluginFiles) {
  const notFound = (name: string, version: string) =>
    badRequest(`plugin not found in the catalog: ${name}${version === '' ? '' : ` ${version}`}`);
  const pinned = (type: PluginType, name: string): string | undefined =>
    store.pins().find((pin) => pin.type === type && pin.name === name)?.version;
  const find = (type: PluginType, name: string, version: string): Listed | undefined => {
    const registered = store.get(type, name, version);
    if (registered !== undefined) return { key: registered, registered };
    const builtin = version === '' || version === builtinVersion ? builtinOf(type, name) : undefined;
    return builtin === undefined ? undefined : { key: builtin, registered: undefined };
  };
  const chosen = (type: PluginType, name: string, version: string): Choice => {
    const plugin = store.get(type, name, version);
    if (plugin === undefined && (version !== '' || builtinOf(type, name) === undefined))
      throw notFound(name, version);
    return { version, plugin };
  };

  return {
    /** All plugins of a type by name and version, except built-in ones that are shadowed. */
    list(type: PluginType): PluginKey[] {
      const registered = store.keys(type);
      const shadowing = new Set(registered.map(({ name, version }) => (version === '' ? name : undefined)));
      const own = builtins.filter((builtin) => builtin.type === type && !shadowing.has(builtin.name));
      return [...registered, ...own].sort(byNameAndVersion);
    },
    /**
     * Finds a plugin.
     * @param version in any format; empty for the registration without a version, else the built-in plugin
     * @throws Refusal 400
     */
    find: (type: PluginType, name: string, version: string): Listed | undefined =>
      find(type, name, versionOf(version)),
    /**
     * Registers a plugin. If a plugin directory is configured, it must contain the file.
     * @throws Refusal 400, also if the registration is too large or one too many
     */
    async register(plugin: Plugin): Promise<void> {
      try {
        if (plugin.ociImage === '') await files.check(plugin.command);
      } catch (error) {
        throw error instanceof PluginFileFault ? badRequest(error.message) : error;
      }
      await store.set(plugin);
    },
    /** Deletes a registration if it exists. @throws Refusal 400 for a built-in or pinned version */
    async remove(type: PluginType, name: string, given: string): Promise<void> {
      const version = versionOf(given);
      if (saysBuiltin(version)) throw badRequest(`version "${version}" cannot be deleted`);
      if (version !== '' && pinned(type, name) === version)
        throw badRequest(`version "${version}" cannot be deleted: it is pinned`);
      await store.remove({ type, name, version });
    },
    pins: {
      list: () => store.pins(),
      async pin({ type, name, version: given }: PluginKey): Promise<void> {
        const version = versionOf(given);
        if (version === '') throw badRequest('missing version');
        if (store.get(type, name, version) === undefined) throw notFound(name, version);
        await store.pin({ type, name, version });
      },
      unpin: (type: PluginType, name: string): Promise<void> => store.unpin(type, name),
    },
    /**
     * Selects what a new mount runs: the requested version, else the pinned one, else the registration without a
     * version, else the newest version, else the built-in plugin.
     * @param given the requested version; empty for none
     * @throws Refusal 400 if the plugin or version does not exist, or another version is pinned
     */
    choose(type: PluginType, name: string, given: string): Choice {
      const asked = versionOf(given);
      const pin = pinned(type, name);
      if (pin !== undefined && asked !== '' && asked !== pin)
        throw badRequest(`${pluginInWords({ name, version: asked })} can't be chosen: ${pin} is pinned`);
      if (asked === builtinVersion && builtinOf(type, name) !== undefined) {
        if (store.get(type, name, '') === undefined) return { version: '', plugin: undefined };
        throw badRequest(
          `${type} plugin "${name}", version ${asked} not found, as it is overridden by an unversioned plugin of the same name. Omit \`plugin_version\` to use the unversioned plugin`,
        );
      }
      if (asked !== '' || pin !== undefined) return chosen(type, name, pin ?? asked);
      if (store.get(type, name, '') !== undefined) return chosen(type, name, '');
      const newest = store
        .keys(type)
        .filter((key) => key.name === name)
        .sort((one, other) => compareVersions(one.version, other.version))
        .at(-1);
      return chosen(type, name, newest?.version ?? '');
    },
    /** Selects what an existing mount would run after a restart. @throws Refusal 400 if the plugin was deleted */
    configured: (type: PluginType, name: string, version: string): Choice =>
      chosen(type, name, pinned(type, name) ?? version),
    /** Determines a plugin's state, which hashes its file. */
    check: async ({ registered }: Listed): Promise<PluginCheck> =>
      registered === undefined ? { state: 'builtin', why: '' } : inspect(files, registered),
    /**
     * Refuses to run a plugin unless it is built in; hashes its file to find the reason.
     * @throws Refusal 400 with the reason
     */
    async refuseToRun({ plugin }: Choice): Promise<void> {
      if (plugin === undefined) return;
      const { state, why } = await inspect(files, plugin);
      throw badRequest(`${state}: ${pluginInWords(plugin)} cannot run: ${why}`);
    },
  };
}

function byNameAndVersion(one: PluginKey, other: PluginKey): number {
  if (one.name === other.name) return compareVersions(one.version, other.version);
  return one.name < other.name ? -1 : 1;
}

/** Determines a registered plugin's state and why it can't run, which hashes its file. */
async function inspect(files: PluginFiles, { ociImage, command, sha256 }: Plugin): Promise<PluginCheck> {
  const runsNone = 'this server runs no external plugins';
  if (ociImage !== '') return { state: 'unsupported', why: runsNone };
  const path = files.pathOf(command);
  try {
    const found = await files.sha256(command);
    return {
      ...(found === sha256
        ? { state: 'unsupported', why: `its file matches the registration, but ${runsNone}` }
        : { state: 'mismatch', why: `the SHA-256 of ${command} differs from the registered one` }),
      ...(path !== undefined && { file: { path, sha256: found } }),
    };
  } catch (error) {
    if (!(error instanceof PluginFileFault)) throw error;
    return { state: 'missing', why: error.message, ...(path !== undefined && { file: { path } }) };
  }
}

/** Normalizes a version. @throws Refusal 400 if it is invalid; an empty version stays empty */
export function versionOf(given: string): string {
  if (given === '') return '';
  const version = canonicalVersion(given);
  if (version !== undefined) return version;
  throw badRequest(`version "${given}" is not a valid semantic version: malformed version: ${given}`);
}
