/** The plugin catalog as the console lists it. */
import { isBuiltinVersion, pluginIdOf, type PluginKey } from '@gatehouse/api-types/console/plugin-values';
import type { PluginSummary } from '@gatehouse/api-types/console/plugins';
import { mapInOrder } from '#api/concurrently.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import type { MountOfPlugin } from '#upstreams/secrets-server/mounts.ts';
import { readPlugin, type CatalogEntry } from '#upstreams/secrets-server/plugins.ts';
import { orDenied } from './stored-secret.ts';

/** Plugins that are read at once. */
const atOnce = 8;

/**
 * Servers leave a built-in plugin out of the catalog while a registration without a version shadows it: it is read by its
 * version, which a mount tells that runs it, or any other that is built in where all have the same.
 */
export async function shadowedPlugins(
  caller: SecretsCaller,
  entries: readonly CatalogEntry[],
  mounts: readonly MountOfPlugin[],
): Promise<readonly CatalogEntry[]> {
  const builtins = entries.filter(({ builtin }) => builtin);
  const known = new Set(builtins.map(nameOf));
  const versions = new Set(builtins.map(({ version }) => version));
  const shadowing = entries.filter(
    (entry) => !entry.builtin && entry.version === '' && !known.has(nameOf(entry)),
  );
  const builtinOf = ({ type, name }: CatalogEntry): Promise<CatalogEntry | null | 'denied'> => {
    const version =
      mounts.find(
        (mount) => mount.type === type && mount.plugin === name && isBuiltinVersion(mount.running_version),
      )?.running_version ?? (versions.size === 1 ? [...versions][0] : undefined);
    return version === undefined
      ? Promise.resolve(null)
      : orDenied(readPlugin(caller, { type, name, version }));
  };
  const found = await Array.fromAsync(mapInOrder(shadowing, builtinOf, atOnce));
  return found.flatMap((plugin) => (plugin !== null && plugin !== 'denied' && plugin.builtin ? plugin : []));
}

/** Entries of the catalog, with what shadows what. */
export function summariesOf(entries: readonly CatalogEntry[]): PluginSummary[] {
  const unversioned = new Set(
    entries.filter(({ builtin, version }) => !builtin && version === '').map(nameOf),
  );
  return entries.map((entry) => ({
    id: pluginIdOf(entry),
    type: entry.type,
    name: entry.name,
    version: entry.version,
    builtin: entry.builtin,
    declarative: entry.declarative,
    sha256: entry.sha256,
    oci_image: entry.oci_image,
    runtime: entry.runtime,
    deprecation_status: entry.deprecation_status,
    shadowed: entry.builtin && unversioned.has(nameOf(entry)),
  }));
}

/** What the versions of a plugin have in common. */
export function nameOf({ type, name }: Pick<PluginKey, 'type' | 'name'>): string {
  return `${type}/${name}`;
}
