import {
  type CloudRoot,
  cloudLeaseFields,
  type CloudLeaseSettings,
  cloudEngines,
} from '@gatehouse/api-types/console/cloud-engines';
import { harmOfCloudRoot } from '@gatehouse/api-types/console/harm-of';
import { mapInOrder } from '#api/concurrently.ts';
import { cannotTell } from '#audit/became.ts';
import { guardedDelete, guardedWrite, onceWritten, outcomeUnknown } from '#conflict/guarded-write.ts';
import { inTurn } from '#conflict/in-turn.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import { isCloudPlugin } from '#upstreams/secrets-server/check-engine.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { writeRoot, writeLeaseTimes, readRoot, rotateRoot } from '#upstreams/secrets-server/cloud.ts';
import { unmountEngine } from '#upstreams/secrets-server/mounts.ts';
import { listPlugins } from '#upstreams/secrets-server/plugins.ts';
import { anyMount, mayMount, readCapabilities } from '#upstreams/secrets-server/system.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { secretsCaller } from '../caller.ts';
import { tableDate, unknownActions } from '../cloud-actions.ts';
import { inCloud, atEngine, cloudCaller, cloudResource } from '../cloud-calls.ts';
import { mayWithEngine, engineOf, listCloudMounts, mayWithEngines, mountedEngine } from '../cloud-engines.ts';
import { isRoot, readCloudRoot, rootBody, areTimes, readCloudLease, changeOfRoot } from '../cloud-root.ts';
import { invalidField } from '../invalid-field.ts';
import { mounting } from '../mounting.ts';
import { whatFailed, orDenied } from '../stored-secret.ts';
import { wished } from '../wished.ts';

const getCloudLease: Operation<'cloudEngines.getLease'> = async (context, call) => {
  const { mount } = call.params;
  const caller = await cloudCaller(context, call);
  const [settings, may] = await Promise.all([readCloudLease(caller, mount), mayWithEngine(caller, mount)]);
  return { ...settings, may };
};

const getCloudRoot: Operation<'cloudEngines.getRoot'> = async (context, call) => {
  const { environment, mount } = call.params;
  const caller = await cloudCaller(context, call);
  const [root, changed, may] = await Promise.all([
    readCloudRoot(caller, mount),
    changeOfRoot(context, environment, mount, call.slices),
    mayWithEngine(caller, mount),
  ]);
  return { ...root, changed, may };
};

const checkActions: Operation<'cloudEngines.checkActions'> = async (_context, { body, slices }) => ({
  unknown: await unknownActions(body.actions, slices),
  as_of: await tableDate(),
});

/** The number of engines read concurrently. */
const atOnce = 8;

const listCloudEngines: Operation<'cloudEngines.list'> = async (context, call) => {
  const caller = await secretsCaller(context, call);
  const [mounts, plugins, isMountAllowed] = await Promise.all([
    listCloudMounts(caller),
    orDenied(listPlugins(caller)),
    readCapabilities(caller, [anyMount]).then((found) => mayMount(caller, found)),
  ]);
  const may =
    mounts.length === 0
      ? () => null
      : await mayWithEngines(
          caller,
          mounts.map(({ path }) => path),
        );
  const items = await Array.fromAsync(
    mapInOrder(mounts, (mount) => engineOf(caller, mount, may(mount.path)), atOnce),
  );
  return {
    items,
    available:
      plugins === 'denied'
        ? null
        : [
            ...new Set(
              plugins
                .filter(({ type, name }) => type === 'secret' && isCloudPlugin(name))
                .map(({ name }) => name),
            ),
          ],
    may_mount: isMountAllowed,
  };
};

const mountCloudEngine: Operation<'cloudEngines.mount'> = mounting({
  name: 'cloud-engine',
  body: cloudEngines.mount.body,
  fieldsOf: (caller, { plugin, description }) => {
    if (!isCloudPlugin(plugin))
      throw invalidField(caller, 'plugin', "This plugin isn't a cloud credentials engine.");
    return { plugin, description };
  },
  list: listCloudMounts,
  show: async (caller, found) => engineOf(caller, found, await mayWithEngine(caller, found.path)),
  unread: (sent) => ({ ...sent, revision: '', running_version: '', configured: null, may: null }),
  isSent: ({ plugin, description }, sent) => plugin === sent.plugin && description === sent.description,
});

const unmountCloudEngine: Operation<'cloudEngines.unmount'> = audited(
  {
    became: async (context, call, { resource_id: mount }) => {
      const mounts = await listCloudMounts(await secretsCaller(context, call));
      return { outcome: mounts.some(({ path }) => path === mount) ? 'failed' : 'succeeded' };
    },
  },
  async (context, call) => {
    const { mount } = call.params;
    const caller = await cloudCaller(context, call);
    await guardedDelete({
      resource: cloudResource(caller, 'cloud-engine', mount),
      expected: call.revision,
      read: async () => {
        const found = (await listCloudMounts(caller)).find(({ path }) => path === mount);
        return found === undefined ? null : mountedEngine(found);
      },
      revisionOf: ({ revision }) => revision,
      failed: whatFailed,
      remove: () => unmountEngine(caller, mount),
    });
  },
);

const rotateCloudRoot: Operation<'cloudEngines.rotateRoot'> = audited(
  { became: cannotTell },
  async (context, call) => {
    const { mount } = call.params;
    const caller = await cloudCaller(context, call, true);
    const resource = cloudResource(caller, 'cloud-root', mount);
    return inTurn(resource, () => rotate(caller, mount));
  },
);

const updateCloudLease: Operation<'cloudEngines.updateLease'> = audited(
  {
    became: atEngine(async (caller, mount, wish) => {
      const stored = await readCloudLease(caller, mount);
      const sent = wished(cloudLeaseFields, wish);
      if (sent !== undefined && areTimes(stored, sent)) return 'succeeded';
      return stored.revision === wish.revision ? 'failed' : 'unknown';
    }),
  },
  async (context, call) => {
    const { mount } = call.params;
    const caller = await cloudCaller(context, call);
    const stored = await guardedWrite<CloudLeaseSettings>({
      note: call.note,
      resource: cloudResource(caller, 'cloud-lease', mount),
      expected: call.revision,
      readFirst: true,
      read: () => readCloudLease(caller, mount),
      revisionOf: ({ revision }) => revision,
      failed: whatFailed,
      send: async () => {
        await writeLeaseTimes(caller, mount, call.body);
        return readCloudLease(caller, mount);
      },
      equalsSent: (settings) => areTimes(settings, call.body),
    });
    return { ...stored, may: await onceWritten(() => mayWithEngine(caller, mount)) };
  },
);

/** Replaces the root configuration, except fields that the console doesn't know. */
const updateCloudRoot: Operation<'cloudEngines.updateRoot'> = audited(
  {
    became: atEngine(async (caller, mount, { body, revision }) => {
      const stored = await readCloudRoot(caller, mount);
      // The secret key can't be read, so an unchanged revision doesn't show whether it was replaced.
      if (stored.revision === revision) return 'unknown';
      return isRoot(stored, body) ? 'succeeded' : 'unknown';
    }),
    harm: 'by stored state',
  },
  async (context, call) => {
    const { mount } = call.params;
    const { body } = call;
    const caller = await cloudCaller(context, call);
    if ((body.access_key === '') !== (body.secret_key === '')) {
      const path = body.access_key === '' ? 'access_key' : 'secret_key';
      throw invalidField(caller, path, "Enter both keys, or neither to use the server's own credentials.");
    }
    let isSent = false;
    const stored = await guardedWrite<CloudRoot>({
      note: call.note,
      resource: cloudResource(caller, 'cloud-root', mount),
      expected: call.revision,
      readFirst: true,
      read: () => readCloudRoot(caller, mount),
      revisionOf: ({ revision }) => revision,
      judge: (before) => call.guard.pass(harmOfCloudRoot(before)),
      failed: whatFailed,
      send: async (before) => {
        isSent = true;
        await writeRoot(caller, mount, rootBody(body, before?.other ?? {}));
        return readCloudRoot(caller, mount);
      },
      // The secret key can't be compared, so equal fields count as this write's only if something was sent.
      equalsSent: (after) => isSent && body.access_key !== '' && isRoot(after, body),
    });
    const time = new Date(caller.now()).toISOString();
    const by = call.session.personName || call.session.loginName;
    const may = await onceWritten(() => mayWithEngine(caller, mount));
    return { ...stored, changed: { time, by }, may };
  },
);

export const cloudEngineOperations = resource(inCloud, {
  'cloudEngines.list': listCloudEngines,
  'cloudEngines.checkActions': checkActions,
  'cloudEngines.mount': mountCloudEngine,
  'cloudEngines.unmount': unmountCloudEngine,
  'cloudEngines.getRoot': getCloudRoot,
  'cloudEngines.updateRoot': updateCloudRoot,
  'cloudEngines.rotateRoot': rotateCloudRoot,
  'cloudEngines.getLease': getCloudLease,
  'cloudEngines.updateLease': updateCloudLease,
});

async function rotate(caller: SecretsCaller, mount: string) {
  const before = await orDenied(readRoot(caller, mount));
  const previous_access_key = before === 'denied' ? '' : (before?.access_key ?? '');
  try {
    return { previous_access_key, ...told(await rotateRoot(caller, mount)) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.delivery !== 'unknown') throw error;
    // The answer is lost, or the previous key wasn't deleted. If the stored key has changed, it is the new one.
    const after = await orDenied(readRoot(caller, mount)).catch(() => 'denied' as const);
    const access_key = after === 'denied' ? '' : (after?.access_key ?? '');
    if (access_key === '' || previous_access_key === '' || access_key === previous_access_key) {
      throw outcomeUnknown({ resource: cloudResource(caller, 'cloud-root', mount) }, error);
    }
    const warning = `The secrets server may not have deleted the previous access key, ${previous_access_key}. If it still exists at the provider, delete it there.`;
    return { access_key, previous_access_key, warnings: [warning] };
  }
}

function told({ access_key, warnings }: Awaited<ReturnType<typeof rotateRoot>>) {
  return { access_key, warnings: [...warnings] };
}
