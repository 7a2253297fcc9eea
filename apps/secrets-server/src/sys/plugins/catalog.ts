import type { Request, Route } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { notFound, unsupportedOperation } from '../../core/refusal.ts';
import { isPluginType, pluginTypes } from '../../domain/plugin/plugin.ts';
import type { Plugin, PluginCheck, PluginKey } from '../../domain/plugin/plugin.ts';
import { builtinVersion } from '../../plugins/builtins.ts';
import type { Listed } from '../../plugins/catalog.ts';
import { namedPlugin } from './parameters.ts';
import { registrationFields, registrationOf } from './registration.ts';

/** sys/plugins/catalog: the built-in and registered engines and auth methods. */
export function catalogRoutes({ plugins }: Context): Route[] {
  return [
    {
      path: 'plugins/catalog',
      rootNamespaceOnly: true,
      operations: {
        read: async ({ giveWay }) => {
          const types = pluginTypes.map((type) => ({ type, listed: plugins.list(type) }));
          const detailed: Readonly<Record<string, unknown>>[] = [];
          for (const { type, name, version } of types.flatMap(({ listed }) => listed)) {
            await giveWay();
            const found = plugins.find(type, name, version);
            if (found !== undefined) detailed.push(detailedWire(found));
          }
          return {
            data: {
              ...Object.fromEntries(types.map(({ type, listed }) => [type, names(listed)])),
              detailed,
            },
          };
        },
      },
    },
    {
      path: 'plugins/catalog/:type',
      rootNamespaceOnly: true,
      operations: {
        list: (_, { type = '' }) => {
          if (!isPluginType(type)) throw unsupportedOperation();
          const keys = names(plugins.list(type));
          return keys.length === 0 ? undefined : { data: { keys } };
        },
      },
    },
    {
      path: 'plugins/catalog/:type/:name',
      fields: registrationFields,
      forwarded: true,
      sudo: true,
      rootNamespaceOnly: true,
      operations: {
        read: async (request, params) => {
          const { type, name } = namedPlugin(params);
          const listed = plugins.find(type, name, askedVersion(request));
          if (listed === undefined) throw notFound();
          return { data: pluginWire(listed, await plugins.check(listed)) };
        },
        update: async ({ body }, params) => {
          await plugins.register(registrationOf(namedPlugin(params), body));
          return undefined;
        },
        delete: async (request, params) => {
          const { type, name } = namedPlugin(params);
          await plugins.remove(type, name, askedVersion(request));
          return undefined;
        },
      },
    },
  ];
}

function askedVersion({ query }: Request): string {
  return query.get('version') ?? '';
}

/** The names of plugins that can be found without a version. */
function names(listed: readonly PluginKey[]): string[] {
  return listed.filter(({ version }) => version === '' || version === builtinVersion).map(({ name }) => name);
}

/** A plugin as returned by a read. The environment is left out; `state` is an addition of this server. */
function pluginWire(
  { key, registered }: Listed,
  { state, why, file }: PluginCheck,
): Readonly<Record<string, unknown>> {
  return {
    args: registered?.args ?? null,
    builtin: registered === undefined,
    command: registered?.command ?? '',
    declarative: false,
    ...(registered === undefined && { deprecation_status: 'supported' }),
    name: key.name,
    oci: (registered?.ociImage ?? '') !== '',
    ...imageWire(registered),
    sha256: registered?.sha256 ?? '',
    state,
    ...(why !== '' && { state_reason: why }),
    ...(file !== undefined && { file }),
    version: key.version,
  };
}

/** A plugin's entry in the list of the whole catalog. */
function detailedWire({ key, registered }: Listed): Readonly<Record<string, unknown>> {
  return {
    builtin: registered === undefined,
    ...(registered === undefined ? { deprecation_status: 'supported' } : { sha256: registered.sha256 }),
    name: key.name,
    ...imageWire(registered),
    type: key.type,
    version: key.version,
  };
}

function imageWire(plugin: Plugin | undefined): Readonly<Record<string, unknown>> {
  if (plugin === undefined) return {};
  const { ociImage, runtime } = plugin;
  return { ...(ociImage !== '' && { oci_image: ociImage }), ...(runtime !== '' && { runtime }) };
}
