/** A plugin of the catalog in the console's format. */
import { pluginIdOf, type PluginKey } from '@gatehouse/api-types/console/plugin-values';
import type { pluginStates, Plugin, PluginFields, PluginMount } from '@gatehouse/api-types/console/plugins';
import type { FieldProblem } from '@gatehouse/api-types/console/problem';
import type { Resource } from '#conflict/guarded-write.ts';
import { hashOf } from '#ground/fields-revision.ts';
import { ProblemError } from '#ground/problem.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { listMountsOfPlugins, tunePath, type MountOfPlugin } from '#upstreams/secrets-server/mounts.ts';
import {
  listPins,
  listPlugins,
  policyPaths,
  readPlugin,
  type CatalogEntry,
  type RegisteredPlugin,
} from '#upstreams/secrets-server/plugins.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';
import { nameOf } from './plugin-catalog.ts';
import { orDenied } from './stored-secret.ts';

/** Any plugin, as policies usually treat all plugins alike. */
const any = { type: 'secret', name: 'any' } as const;

/** What the caller may do with a plugin, or with any plugin; null if the server doesn't report it. */
export async function mayWithPlugin(
  caller: SecretsCaller,
  key: Pick<PluginKey, 'type' | 'name'> | undefined,
): Promise<Plugin['may']> {
  const { catalog, plugin, pin, reload } = policyPaths;
  const one = key ?? any;
  const tune = tunePath('any');
  const found = await readCapabilities(caller, [catalog, plugin(one), pin(one), reload, tune]);
  if (found === null) return null;
  const may = (path: string, ...words: readonly string[]): boolean => allows(found.get(path), ...words);
  // Paths of the catalog and of pins also require `sudo`.
  const sudo = may(plugin(one), 'sudo');
  return {
    read: key === undefined ? may(catalog, 'read') : sudo && may(plugin(one), 'read'),
    register: sudo && may(plugin(one), 'update', 'create'),
    delete: sudo && may(plugin(one), 'delete'),
    reload: may(reload, 'update', 'create'),
    pin: may(pin(one), 'sudo') && may(pin(one), 'update', 'create'),
    tune: may(tune, 'update', 'create'),
  };
}

/** Only the registration, without mounts, pins and rights. @returns null if it doesn't exist */
export async function readRegistration(caller: SecretsCaller, key: PluginKey): Promise<Plugin | null> {
  const found = await readPlugin(caller, key);
  return found === null ? null : pluginOf(found);
}

/** A registration with its mounts, pin and rights. @throws ProblemError `not-found` */
export async function readWholePlugin(caller: SecretsCaller, key: PluginKey): Promise<Plugin> {
  const [plugin, entries, mounts, pins, may] = await Promise.all([
    readRegistration(caller, key),
    orDenied(listPlugins(caller)),
    listMountsOfPlugins(caller),
    listPins(caller),
    mayWithPlugin(caller, key),
  ]);
  if (plugin === null) throw noPlugin(caller);
  const pin = pins?.find((one) => nameOf(one) === nameOf(key))?.version ?? '';
  const running =
    mounts === null ? null : mountsRunning(key, pin, entries === 'denied' ? [] : entries, mounts);
  return {
    ...plugin,
    state: plugin.state === 'unknown' && isRunning(plugin, running) ? 'runs' : plugin.state,
    mounts: running,
    pinned_version: pins === null ? null : pin,
    may,
  };
}

/** The version that a mount without a configured version runs: a registration without a version, else the built-in one. */
function followed(key: PluginKey, entries: readonly CatalogEntry[]): string {
  const same = entries.filter((entry) => nameOf(entry) === nameOf(key));
  if (same.some(({ builtin, version }) => !builtin && version === '')) return '';
  return same.find(({ builtin }) => builtin)?.version ?? '';
}

/** The mounts that run a plugin, or would after a restart; null for databases, whose connections name their plugins. */
function mountsRunning(
  key: PluginKey,
  pin: string,
  entries: readonly CatalogEntry[],
  mounts: readonly MountOfPlugin[],
): PluginMount[] | null {
  if (key.type === 'database') return mounts.some(({ plugin }) => plugin === 'database') ? null : [];
  const next = followed(key, entries);
  return mounts.filter(({ type, plugin, configured_version, running_version }) => {
    if (type !== key.type || plugin !== key.name) return false;
    const wanted = pin || configured_version || next;
    return wanted === key.version || (running_version !== '' && running_version === key.version);
  });
}

function isRunning({ sha256 }: Plugin, mounts: readonly PluginMount[] | null): boolean {
  return sha256 !== '' && mounts?.some(({ running_sha256 }) => running_sha256 === sha256) === true;
}

const states: Readonly<Record<string, (typeof pluginStates)[number]>> = {
  builtin: 'runs',
  runs: 'runs',
  unsupported: 'unsupported',
  mismatch: 'mismatch',
  missing: 'missing',
};

function pluginOf(found: RegisteredPlugin): Plugin {
  const { type, name, version, builtin, declarative } = found;
  const { sha256, command, args, oci_image, runtime, deprecation_status, state, state_reason } = found;
  return {
    id: pluginIdOf(found),
    type,
    name,
    version,
    builtin,
    declarative,
    sha256,
    oci_image,
    runtime,
    deprecation_status,
    revision: hashOf({ builtin, declarative, sha256, command, args, oci_image, runtime }),
    command,
    args: [...args],
    state: states[state] ?? (builtin ? 'runs' : 'unknown'),
    state_reason,
    file: found.file ?? null,
    mounts: null,
    pinned_version: null,
    may: null,
  };
}

/** A plugin in problems. */
export function pluginResource(
  { transport: { environment, service } }: SecretsCaller,
  key: PluginKey,
): Resource {
  return { environment, service, kind: 'plugin', id: pluginIdOf(key) };
}

export function noPlugin({ transport: { environment, service } }: SecretsCaller): ProblemError {
  return new ProblemError('not-found', 'The catalog has no such plugin.', { environment, service });
}

type Readable = Omit<PluginFields, 'env'>;

/** The names of fields that a registration doesn't have as sent. The environment can't be read or compared. */
export function fieldsNotKept(stored: Plugin, sent: Partial<Readable>): string[] {
  const { command, args = [] } = sent;
  // The server splits a command from its arguments.
  const isSplit =
    command !== undefined && args.length === 0 && [stored.command, ...stored.args].join(' ') === command;
  return (['sha256', 'command', 'args', 'oci_image', 'runtime'] as const).filter((name) => {
    const wanted = sent[name];
    if (wanted === undefined || (isSplit && (name === 'command' || name === 'args'))) return false;
    return JSON.stringify(stored[name]) !== JSON.stringify(wanted);
  });
}

/**
 * Compares a registration with the sent fields, because servers silently drop fields that they don't know.
 * @throws ProblemError `bad-answer` with the fields that were not kept
 */
export function checkKept(caller: SecretsCaller, stored: Plugin, sent: Partial<Readable>): void {
  const fields = fieldsNotKept(stored, sent).map((path): FieldProblem => ({
    path,
    message: 'The server stored a different value.',
  }));
  if (fields.length === 0) return;
  const { environment, service } = caller.transport;
  throw new ProblemError(
    'bad-answer',
    `The server accepted the registration, but didn't keep ${fields.map(({ path }) => path).join(', ')}. Check the plugin before anything mounts it.`,
    {
      environment,
      service,
      fields,
      done: { revision: stored.revision, problem: `not-kept=${fields.map(({ path }) => path).join(',')}` },
    },
  );
}

/** @throws ProblemError `forbidden` for a plugin that can't be changed through the server */
export function checkChangeable(caller: SecretsCaller, { builtin, declarative }: Plugin): void {
  const { environment, service } = caller.transport;
  if (declarative) {
    throw new ProblemError(
      'forbidden',
      "This plugin is declared in the server's configuration file. Change it there, and restart the server.",
      { environment, service },
    );
  }
  if (builtin) {
    throw new ProblemError('forbidden', "This plugin is built in. It can't be changed or deleted.", {
      environment,
      service,
    });
  }
}
