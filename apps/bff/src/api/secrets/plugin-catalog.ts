/** The plugin catalog as the console lists it. */
import { isBuiltinVersion, pluginIdOf, type PluginKey } from '@gatehouse/api-types/console/plugin-values';
import type { PluginSummary } from '@gatehouse/api-types/console/plugins';
import { mapInOrder } from '#api/concurrently.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import type { MountOfPlugin } from '#upstreams/secrets-server/mounts.ts';
import { readPlugin, type CatalogEntry } from '#upstreams/secrets-server/plugins.ts';
import { orDenied } from './stored-secret.ts';

/** The number of plugins read concurrently. */
const atOnce = 8;

/**
 * Reads the built-in plugins that servers omit from the catalog while a registration without a version shadows them.
 * Their version is that of a mount which runs them, or the version that all built-in plugins share.
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

/** The catalog's entries, with whether each is shadowed. */
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

/** A key that all versions of a plugin share. */
export function nameOf({ type, name }: Pick<PluginKey, 'type' | 'name'>): string {
  return `${type}/${name}`;
}
