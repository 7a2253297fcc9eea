import {
  isBuiltinVersion,
  revisionOfVersion,
  writtenVersion,
} from '@gatehouse/api-types/console/plugin-values';
import {
  fieldsOfPlugin,
  pluginChanges,
  type Plugin,
  plugins,
  type PluginMount,
  newPlugin,
} from '@gatehouse/api-types/console/plugins';
import { cannotTell } from '#audit/became.ts';
import { guardedWrite, guardedDelete } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { resource, audited, type Operation, compressed } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { listMountsOfPlugins, tuneMount } from '#upstreams/secrets-server/mounts.ts';
import {
  registerPlugin,
  unpinPlugin as unpin,
  reloadPlugin as reload,
  pinPlugin as pin,
  listPins,
  listPlugins as readCatalog,
  deletePlugin as removePlugin,
} from '#upstreams/secrets-server/plugins.ts';
import { secretsCaller } from '../caller.ts';
import { guardedCreate } from '../guarded-create.ts';
import { pinBecame, writePin } from '../pinned-version.ts';
import { inPlugins, atPlugin, keyOf, withHex, newAddress, newKeyOf } from '../plugin-calls.ts';
import { shadowedPlugins, summariesOf } from '../plugin-catalog.ts';
import {
  checkChangeable,
  checkKept,
  fieldsNotKept,
  noPlugin,
  pluginResource,
  readRegistration,
  readWholePlugin,
  mayWithPlugin,
} from '../stored-plugin.ts';
import { whatFailed } from '../stored-secret.ts';
import { wished } from '../wished.ts';

const createPlugin: Operation<'plugins.create'> = audited(
  {
    address: ({ body }) => newAddress(body),
    became: atPlugin(async (caller, key, wish) => {
      const stored = await readRegistration(caller, key);
      if (stored === null) return 'failed';
      const sent = wished(newPlugin, wish);
      // A sent environment isn't stored in the trail and can't be read, so it can't be compared.
      if (wish.secret || sent === undefined) return 'unknown';
      return fieldsNotKept(stored, withHex(sent)).length === 0 ? 'succeeded' : 'unknown';
    }),
  },
  async (context, call) => {
    const { type, name, version, ...body } = call.body;
    const key = newKeyOf({ type, name, version });
    const { env, ...fields } = withHex(body);
    const caller = await secretsCaller(context, call);
    const stored = await guardedCreate({
      resource: pluginResource(caller, key),
      revisionOf: ({ revision }) => revision,
      read: () => readRegistration(caller, key),
      send: async () => {
        await registerPlugin(caller, key, { ...fields, env });
        const stored = await readRegistration(caller, key);
        if (stored === null) throw noPlugin(caller);
        checkKept(caller, stored, fields);
        return stored;
      },
      equalsSent: (stored) => env === undefined && fieldsNotKept(stored, fields).length === 0,
    });
    // The change is already made, so it isn't reported as failed if nothing more can be read.
    return readWholePlugin(caller, key).catch(() => stored);
  },
);

const deletePlugin: Operation<'plugins.delete'> = audited(
  {
    became: atPlugin(async (caller, key) =>
      (await readRegistration(caller, key)) === null ? 'succeeded' : 'failed',
    ),
  },
  async (context, call) => {
    const key = keyOf(call.params.plugin);
    const caller = await secretsCaller(context, call);
    await guardedDelete({
      resource: pluginResource(caller, key),
      expected: call.revision,
      read: async () => {
        const stored = await readRegistration(caller, key);
        if (stored !== null) checkChangeable(caller, stored);
        return stored;
      },
      revisionOf: ({ revision }) => revision,
      failed: whatFailed,
      remove: () => removePlugin(caller, key),
    });
  },
);

const getPlugin: Operation<'plugins.get'> = async (context, call) =>
  readWholePlugin(await secretsCaller(context, call), keyOf(call.params.plugin));

const listPlugins: Operation<'plugins.list'> = compressed(async (context, call) => {
  const caller = await secretsCaller(context, call);
  const [entries, mounts, pins, may] = await Promise.all([
    readCatalog(caller),
    listMountsOfPlugins(caller),
    listPins(caller),
    mayWithPlugin(caller, undefined),
  ]);
  const shadowed = await shadowedPlugins(caller, entries, mounts ?? []);
  return {
    items: summariesOf([...entries, ...shadowed]),
    mounts: mounts === null ? null : [...mounts],
    pins: pins === null ? null : [...pins],
    may,
  };
});

const pinPlugin: Operation<'plugins.pin'> = audited(
  { became: pinBecame(({ version }) => version) },
  async (context, call) => {
    const key = keyOf(call.params.plugin);
    if (key.version === '') {
      throw new ProblemError('invalid-request', "A registration without a version can't be pinned.");
    }
    const caller = await secretsCaller(context, call);
    await writePin(caller, {
      note: call.note,
      key,
      expected: call.revision,
      version: key.version,
      send: () => pin(caller, key),
    });
  },
);

const reloadPlugin: Operation<'plugins.reload'> = audited({ became: cannotTell }, async (context, call) => ({
  reload_id: await reload(await secretsCaller(context, call), keyOf(call.params.plugin), call.body.mounts),
}));

const tunePluginMount: Operation<'plugins.tuneMount'> = audited(
  {
    address: ({ params }) => ({ id: params.mount }),
    became: async (context, call, intent, wish) => {
      const found = await mountAt(await secretsCaller(context, call), intent.resource_id);
      const sent = wished(plugins.tuneMount.body, wish);
      if (found === undefined || sent === undefined) return { outcome: 'unknown' };
      const version = writtenVersion(sent.plugin_version);
      if (version === '') return { outcome: 'unknown' };
      return { outcome: found.configured_version === keptAs(version) ? 'succeeded' : 'failed' };
    },
  },
  async (context, call) => {
    const { mount } = call.params;
    const version = writtenVersion(call.body.plugin_version);
    const caller = await secretsCaller(context, call);
    const { environment, service } = caller.transport;
    const read = async (): Promise<PluginMount> => {
      const found = await mountAt(caller, mount);
      if (found !== undefined) return found;
      throw new ProblemError(
        'not-found',
        "Nothing is mounted at this path, or you aren't allowed to see it.",
        {
          environment,
          service,
        },
      );
    };
    const found = await guardedWrite<PluginMount>({
      note: call.note,
      resource: { environment, service, kind: 'plugin-mount', id: mount },
      expected: call.revision,
      readFirst: true,
      read,
      revisionOf: ({ configured_version }) => revisionOfVersion(configured_version),
      failed: whatFailed,
      send: async () => {
        await tuneMount(caller, mount, version);
        return read();
      },
      equalsSent: ({ configured_version }) => version !== '' && configured_version === keptAs(version),
    });
    // For an empty version, the server chooses one from the catalog.
    if (version !== '' && found.configured_version !== keptAs(version)) {
      const message = "The server didn't keep this version.";
      throw new ProblemError('bad-answer', `${message} It may not support setting the version of a mount.`, {
        environment,
        service,
        fields: [{ path: 'plugin_version', message }],
      });
    }
    return found;
  },
);

const unpinPlugin: Operation<'plugins.unpin'> = audited(
  { became: pinBecame(() => '') },
  async (context, call) => {
    const key = keyOf(call.params.plugin);
    const caller = await secretsCaller(context, call);
    await writePin(caller, {
      key,
      expected: call.revision,
      version: '',
      send: () => unpin(caller, key),
      note: call.note,
    });
  },
);

/** Registering replaces everything, so unchanged fields are sent again, except the unreadable environment. */
const updatePlugin: Operation<'plugins.update'> = audited(
  {
    became: atPlugin(async (caller, key, wish) => {
      const stored = await readRegistration(caller, key);
      const sent = wished(pluginChanges, wish);
      // An environment can't be read, so an unchanged revision doesn't show whether it was replaced.
      if (stored === null || sent === undefined || wish.secret) return 'unknown';
      if (stored.revision === wish.revision) return 'failed';
      return fieldsNotKept(stored, withHex(sent)).length === 0 ? 'succeeded' : 'unknown';
    }),
  },
  async (context, call) => {
    if (Object.values(call.body).every((value) => value === undefined)) {
      throw new ProblemError('invalid-request', "The request doesn't change any field.");
    }
    const key = keyOf(call.params.plugin);
    const { env, ...changes } = withHex(call.body);
    const caller = await secretsCaller(context, call);
    let fields: ReturnType<typeof fieldsOfPlugin> | undefined;
    const read = async (): Promise<Plugin> => {
      const stored = await readRegistration(caller, key);
      if (stored === null) throw noPlugin(caller);
      return stored;
    };
    const stored = await guardedWrite<Plugin>({
      note: call.note,
      resource: pluginResource(caller, key),
      expected: call.revision,
      readFirst: true,
      read: () => readRegistration(caller, key),
      revisionOf: ({ revision }) => revision,
      judge: (stored) => {
        checkChangeable(caller, stored);
        fields = { ...fieldsOfPlugin(stored), ...changes };
      },
      failed: whatFailed,
      send: async () => {
        const sent = fields ?? { ...fieldsOfPlugin(await read()), ...changes };
        await registerPlugin(caller, key, { ...sent, env });
        const stored = await read();
        checkKept(caller, stored, sent);
        return stored;
      },
      equalsSent: (stored) => env === undefined && fieldsNotKept(stored, changes).length === 0,
    });
    // The change is already made, so it isn't reported as failed if nothing more can be read.
    return readWholePlugin(caller, key).catch(() => stored);
  },
);

export const pluginOperations = resource(inPlugins, {
  'plugins.list': listPlugins,
  'plugins.get': getPlugin,
  'plugins.create': createPlugin,
  'plugins.update': updatePlugin,
  'plugins.delete': deletePlugin,
  'plugins.pin': pinPlugin,
  'plugins.unpin': unpinPlugin,
  'plugins.reload': reloadPlugin,
  'plugins.tuneMount': tunePluginMount,
});

/** The version that a mount stores: none for a built-in version. */
function keptAs(version: string): string {
  return isBuiltinVersion(version) ? '' : version;
}

async function mountAt(caller: SecretsCaller, mount: string): Promise<PluginMount | undefined> {
  return (await listMountsOfPlugins(caller))?.find(({ path }) => path === mount);
}
