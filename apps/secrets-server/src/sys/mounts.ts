import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import type { Params, Place, Request, Result, Route } from '../core/backend.ts';
import type { Body } from '../core/body.ts';
import { emptyBody } from '../core/body.ts';
import type { Context } from '../core/context.ts';
import { booleanField, checkPairs, durationField, mapField, textField } from '../core/fields.ts';
import { mapText, mostListed } from '../core/json/map-text.ts';
import type { Mount, MountConfig } from '../core/mount.ts';
import { badRequest } from '../core/refusal.ts';
import { checkPolicyFolders } from '../domain/policy/initial-policies.ts';
import { defaultConfig } from '../store/mounts.ts';
import { endLeases, removeMounts } from './end-leases.ts';
import { mountWire } from './mount-wire.ts';

/** The default lease lifetime of mounts in seconds: the system's 32 days. */
const systemLeaseTtl = 2_764_800;

/** The maximum length of a mount's path and description in characters, and of its options in bytes. */
const longestPath = 512;
const longestDescription = 4096;
const mostOptions = 4096;

/** Prefixes of the system's own paths. */
const reserved = ['sys/', 'auth/', 'audit/', 'cubbyhole/', 'identity/'];

export function mountRoutes(context: Context): Route[] {
  const { mounts } = context;
  const engineAt = ({ namespace }: Request, path: string): Mount | undefined => {
    const mount = mounts.at(namespace, mountPath(path));
    return mount === undefined || mount.path.startsWith('auth/') ? undefined : mount;
  };
  const about = ({ namespace }: Request, { path = '' }: Params): readonly Place[] => [
    { namespace, mount: mountPath(path) },
  ];
  const known = (request: Request, path: string): Mount => {
    const mount = engineAt(request, path);
    if (mount === undefined) throw badRequest(`No secret engine mount at ${mountPath(path)}`);
    return mount;
  };

  return [
    {
      path: 'mounts',
      operations: {
        read: async ({ namespace, giveWay }) => {
          const engines = mounts.list(namespace).filter(({ path }) => !path.startsWith('auth/'));
          const entries = engines.map((mount) => [mount.path, mountWire(mount)] as const);
          return {
            data: await mapText(entries, giveWay, 'read one mount at a time', mostListed / 2),
            repeatData: true,
          };
        },
      },
    },
    {
      path: 'mounts/*path',
      fields: [
        'type',
        'description',
        'config',
        'options',
        'local',
        'seal_wrap',
        'external_entropy_access',
        'plugin_name',
        'plugin_version',
      ],
      forwarded: (request, { path = '' }) =>
        writesShared(request, engineAt(request, path)) && booleanField(request.body, 'local') !== true,
      about,
      canonical: ({ path = '' }) => `mounts/${trimEndSlashes(path)}`,
      operations: {
        read: (request, { path = '' }) => ({ data: mountWire(known(request, path)), repeatData: true }),
        update: (request, { path = '' }) => mount(context, request, path),
        delete: async (request, { path = '' }) => {
          const mount = engineAt(request, path);
          if (mount === undefined) return undefined;
          if (mount.id === 0) throw badRequest(`cannot unmount "${mount.path}"`);
          await removeMounts(context.leases, [mount], async () => {
            await endLeases(context.leases, mount, request.now);
            await mounts.remove(mount);
          });
          return undefined;
        },
      },
    },
    {
      path: 'mounts/*path/tune',
      fields: [
        'description',
        'default_lease_ttl',
        'max_lease_ttl',
        'listing_visibility',
        'force_no_cache',
        'options',
        'plugin_version',
      ],
      forwarded: (request, { path = '' }) => writesShared(request, engineAt(request, path)),
      about,
      operations: {
        read: (request, { path = '' }) => ({ data: tuneWire(known(request, path)), repeatData: true }),
        update: async (request, { path = '' }) => {
          const mount = known(request, path);
          if (mount.id === 0) throw badRequest(`cannot tune "${mount.path}"`);
          const { body } = request;
          const description = textField(body, 'description', longestDescription);
          const version = textField(body, 'plugin_version');
          await mounts.change(mount, (now) => {
            const options = optionsOf(body, now.options);
            if (now.type === 'kv' && options !== undefined && (options['version'] ?? '2') !== '2')
              throw badRequest('cannot downgrade mount from version 2');
            return {
              ...(description !== undefined && { description }),
              ...(options !== undefined && { options }),
              config: configOf(body.values, now.config),
              ...(version !== undefined && {
                pluginVersion: context.plugins.choose('secret', now.type, version).version,
              }),
            };
          });
          return undefined;
        },
      },
    },
  ];
}

/** Whether a request changes a replicated mount. @param mount the existing mount, if any */
function writesShared({ operation }: Request, mount: Mount | undefined): boolean {
  return operation !== 'read' && mount?.local !== true;
}

/** The tunable settings of a mount, with the effective lease times. */
function tuneWire({ config, description, options, pluginVersion }: Mount): Readonly<Record<string, unknown>> {
  return {
    default_lease_ttl: config.defaultLeaseTtl === 0 ? systemLeaseTtl : config.defaultLeaseTtl,
    description,
    force_no_cache: config.forceNoCache,
    ...(config.listingVisibility !== '' && { listing_visibility: config.listingVisibility }),
    max_lease_ttl: config.maxLeaseTtl === 0 ? systemLeaseTtl : config.maxLeaseTtl,
    ...(options !== null && { options }),
    ...(pluginVersion !== '' && { plugin_version: pluginVersion }),
  };
}

async function mount(context: Context, { namespace, body }: Request, path: string): Promise<Result> {
  const at = mountPath(path);
  if (at === '') throw badRequest('missing mount point');
  if (at.length > longestPath) throw badRequest(`mount path longer than ${longestPath} characters`);
  const settings = mapField(body, 'config');
  const engine = engineOf(body, settings);
  if (reserved.some((prefix) => at.startsWith(prefix)))
    throw badRequest(`cannot mount under existing mount "${at}"`);
  checkPolicyFolders(namespace + at);
  const asked = textField(bodyOf(settings), 'plugin_version') ?? textField(body, 'plugin_version') ?? '';
  const choice = context.plugins.choose('secret', engine, asked);
  const options = optionsOf(body, null);
  if (
    engine === 'kv' &&
    choice.plugin === undefined &&
    options !== undefined &&
    (options['version'] ?? '2') !== '2'
  ) {
    throw badRequest('only version 2 of the key-value engine is offered');
  }
  const config = configOf(settings, defaultConfig);
  await context.plugins.refuseToRun(choice);
  await context.mounts.add({
    namespace,
    path: at,
    type: engine,
    description: textField(body, 'description', longestDescription) ?? '',
    options: engine === 'kv' ? { ...options, version: '2' } : (options ?? null),
    config,
    local: booleanField(body, 'local') ?? false,
  });
  return undefined;
}

/** Returns the engine type in a body. */
function engineOf(body: Body, settings: Readonly<Record<string, unknown>> | undefined): string {
  const type = textField(body, 'type') ?? '';
  if (type === '') throw badRequest('backend type must be specified as a string');
  // Aliases that clients use for the versioned engine, and the former way to name a plugin.
  if (type === 'kv-v2') return 'kv';
  if (type !== 'plugin') return type;
  const name = textField(bodyOf(settings), 'plugin_name') ?? textField(body, 'plugin_name') ?? '';
  if (name === '') throw badRequest('plugin_name must be provided for plugin backend');
  return name;
}

function bodyOf(values: Readonly<Record<string, unknown>> | undefined): Body {
  return values === undefined ? emptyBody : { ...emptyBody, values };
}

/** Normalizes a mount's path to one trailing slash. */
export function mountPath(path: string): string {
  const inner = trimEndSlashes(path);
  return inner === '' ? '' : `${inner}/`;
}

function configOf(values: Readonly<Record<string, unknown>> | undefined, now: MountConfig): MountConfig {
  if (values === undefined) return now;
  const body = bodyOf(values);
  const ttl = (name: string, unchanged: number): number => {
    // Go's client sends all settings, as empty texts where they stay as they are.
    if (values[name] === '') return unchanged;
    const seconds = values[name] === 'system' ? 0 : durationField(body, name);
    if (seconds !== undefined && seconds < 0) throw badRequest(`${name} must not be negative`);
    return seconds ?? unchanged;
  };
  const listingVisibility = textField(body, 'listing_visibility') ?? now.listingVisibility;
  if (!['', 'unauth', 'hidden'].includes(listingVisibility)) {
    throw badRequest(`invalid listing visibility type: ${listingVisibility}`);
  }
  const config: MountConfig = {
    defaultLeaseTtl: ttl('default_lease_ttl', now.defaultLeaseTtl),
    maxLeaseTtl: ttl('max_lease_ttl', now.maxLeaseTtl),
    forceNoCache: booleanField(body, 'force_no_cache') ?? now.forceNoCache,
    listingVisibility,
  };
  if (config.maxLeaseTtl > 0 && config.defaultLeaseTtl > config.maxLeaseTtl) {
    throw badRequest('given default lease TTL greater than given max lease TTL');
  }
  return config;
}

/** Merges the options in a body with the present ones; undefined if the body has none. */
function optionsOf(body: Body, now: Mount['options']): Readonly<Record<string, string>> | undefined {
  const values = mapField(body, 'options');
  if (values === undefined) return undefined;
  const texts = Object.keys(values).map((key) => [key, textField(bodyOf(values), key) ?? ''] as const);
  const options = { ...now, ...Object.fromEntries(texts) };
  checkPairs(Object.entries(options), 'options', mostOptions);
  return options;
}
