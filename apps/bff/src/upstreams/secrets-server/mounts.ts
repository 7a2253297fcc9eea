/** Engines and auth methods, with the plugins that they run. */
import {
  pluginMounts,
  uiMount,
  uiMounts,
  type WirePluginMount,
} from '@gatehouse/api-types/services/secrets-server';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import { buildPath, namesIn } from '../path.ts';
import { isAnswer, type SecretsCaller } from './client.ts';
import { ask, notStarted, type RefusalRule } from './refusals.ts';

/** An engine or an auth method. */
export interface MountOfPlugin {
  /** Without a trailing slash; with the prefix `auth/` for auth methods. */
  readonly path: string;
  readonly type: 'secret' | 'auth';
  readonly plugin: string;
  readonly description: string;
  /** Differs between mounts at one path at different times; empty if the server doesn't report it. */
  readonly uuid: string;
  readonly configured_version: string;
  readonly running_version: string;
  readonly running_sha256: string;
}

/** The types that every server mounts automatically and runs without a plugin. */
const own = /^(?:ns_)?(?:system|identity|cubbyhole|token)$/;

/**
 * Every mount that runs a plugin; only those that the server shows to the token if it can't read the complete lists.
 * @returns null if the server shows none of its lists
 */
export async function listMountsOfPlugins(caller: SecretsCaller): Promise<readonly MountOfPlugin[] | null> {
  const [engines, methods] = await Promise.all([listOf(caller, 'mounts'), listOf(caller, 'auth')]);
  const shown = engines === null || methods === null ? await listShown(caller) : null;
  const secret = engines ?? shown?.secret;
  const auth = methods ?? shown?.auth;
  if (secret === undefined || auth === undefined) return null;
  return [...mountsOf('secret', secret), ...mountsOf('auth', auth)].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}

type ByPath = Readonly<Record<string, WirePluginMount>>;

async function listOf(caller: SecretsCaller, list: 'mounts' | 'auth'): Promise<ByPath | null> {
  const { transport } = caller;
  try {
    const answer = await caller.send({
      method: 'GET',
      path: buildPath(`${transport.prefix}/v1/sys/${list}`),
    });
    return (await transport.parse(pluginMounts, answer)).data;
  } catch (error) {
    if (isAnswer(error, 403)) return null;
    throw error;
  }
}

async function listShown(caller: SecretsCaller): Promise<{ secret: ByPath; auth: ByPath } | null> {
  const { transport } = caller;
  const path = buildPath(`${transport.prefix}/v1/sys/internal/ui/mounts`);
  try {
    const { secret, auth } = (await transport.parse(uiMounts, await caller.send({ method: 'GET', path })))
      .data;
    return { secret, auth: auth ?? {} };
  } catch (error) {
    if (isAnswer(error, 403, 404, 405)) return null;
    throw error;
  }
}

function mountsOf(type: 'secret' | 'auth', list: ByPath): MountOfPlugin[] {
  return Object.entries(list)
    .filter(([, mount]) => !own.test(mount.type))
    .map(([at, mount]) => {
      const path = trimEndSlashes(at);
      return {
        path: type === 'auth' ? `auth/${path}` : path,
        type,
        plugin: pluginOf(mount),
        description: mount.description,
        uuid: mount.uuid,
        configured_version: mount.plugin_version,
        running_version: mount.running_plugin_version,
        running_sha256: mount.running_sha256,
      };
    });
}

function pluginOf({ type, config }: WirePluginMount): string {
  if (type === 'generic') return 'kv';
  return type === 'plugin' ? (config?.plugin_name ?? '') || type : type;
}

/** An engine's description and identity; null if the server doesn't show the mount to the token. */
export async function readMount(
  caller: SecretsCaller,
  mount: string,
): Promise<{ readonly description: string; readonly uuid: string } | null> {
  const path = buildPath(`${caller.transport.prefix}/v1/sys/internal/ui/mounts`, namesIn(mount));
  try {
    return (await caller.transport.parse(uiMount, await caller.send({ method: 'GET', path }))).data;
  } catch (error) {
    if (isAnswer(error, 400, 403, 404)) return null;
    throw error;
  }
}

export async function describeMount(
  caller: SecretsCaller,
  mount: string,
  description: string,
): Promise<void> {
  await ask(caller, { method: 'POST', path: tuneAddress(caller, mount), body: { description } });
}

function tuneAddress(caller: SecretsCaller, mount: string): string {
  return buildPath(`${caller.transport.prefix}/v1/sys`, [...segmentsOf(mount), 'tune']);
}

/** Sets the plugin version that a mount runs after its next reload; empty for the catalog's default. */
export async function tuneMount(caller: SecretsCaller, mount: string, version: string): Promise<void> {
  const path = tuneAddress(caller, mount);
  await ask(caller, { method: 'POST', path, body: { plugin_version: version } }, [
    {
      says: /is pinned/,
      field: 'plugin_version',
      means: 'A different version of the plugin is pinned. Remove the pin first.',
    },
    {
      says: /version|catalog/i,
      field: 'plugin_version',
      means: "The server doesn't have this version of the plugin. Register it first.",
    },
  ]);
}

function segmentsOf(mount: string): string[] {
  const names = namesIn(mount);
  return names[0] === 'auth' && names.length > 1 ? names : ['mounts', ...names];
}

/** The path of a mount's tuning as policies name it. */
export function tunePath(mount: string): string {
  return ['sys', ...segmentsOf(mount), 'tune'].join('/');
}

/** Why an engine can't be mounted. */
const mountRules: readonly RefusalRule[] = [
  {
    says: /already in use|existing mount/,
    field: 'mount',
    means: 'Something is already mounted at this path, or above or below it. Choose another path.',
  },
  {
    says: /^missing: /m,
    field: 'plugin',
    means: "The plugin's file is not in the server's plugin directory.",
  },
  {
    says: /not (?:found|registered) in the catalog|unknown (?:backend|plugin|type)|plugin not found|no plugin/i,
    field: 'plugin',
    means: 'The server has no plugin with this name. Register it first.',
  },
  {
    says: /mismatch|checksum/i,
    field: 'plugin',
    means:
      "The SHA-256 of the plugin's file doesn't match its registration, so the plugin wasn't started. Replace the file, or register the plugin with its hash.",
  },
  {
    says: /^unsupported: /m,
    field: 'plugin',
    means: 'This server runs only built-in plugins.',
  },
  notStarted,
  {
    says: /reserved|cannot mount/i,
    field: 'mount',
    means: 'The server reserves this path. Choose another one.',
  },
];

/** Removes an engine with everything in it. @throws ServiceError, also if the server keeps this engine */
export async function unmountEngine(caller: SecretsCaller, mount: string): Promise<void> {
  await caller.send({
    method: 'DELETE',
    path: buildPath(`${caller.transport.prefix}/v1/sys/mounts`, namesIn(mount)),
  });
}

export async function mountEngine(
  caller: SecretsCaller,
  mount: string,
  fields: {
    readonly plugin: string;
    readonly description: string;
    readonly options?: Readonly<Record<string, string>>;
  },
): Promise<void> {
  const path = buildPath(`${caller.transport.prefix}/v1/sys/mounts`, namesIn(mount));
  const { plugin: type, ...others } = fields;
  const body = { type, ...others };
  await ask(caller, { method: 'POST', path, body }, mountRules);
}
