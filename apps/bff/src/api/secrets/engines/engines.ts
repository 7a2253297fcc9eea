import { harmOfKeeping } from '@gatehouse/api-types/console/harm-of';
import { secretEngines, type Mount, type SecretEngine } from '@gatehouse/api-types/console/secret-metadata';
import { guardedDelete, guardedWrite, onceWritten } from '#conflict/guarded-write.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import { checkVersioned } from '#upstreams/secrets-server/check-engine.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { writeEngine } from '#upstreams/secrets-server/metadata.ts';
import { describeMount, unmountEngine } from '#upstreams/secrets-server/mounts.ts';
import { folderPolicyPath, policyPath } from '#upstreams/secrets-server/place.ts';
import {
  allows,
  anyMount,
  listKeyValueMounts,
  mayMount,
  readCapabilities,
  type KeyValueMount,
} from '#upstreams/secrets-server/system.ts';
import { ifThere } from '#upstreams/service-error.ts';
import { atPlace, settled } from '../became.ts';
import { inSecrets, secretsCaller } from '../caller.ts';
import { mayChange, readSecretEngine } from '../engine.ts';
import { mounting } from '../mounting.ts';
import { hasSettings, settingsForWire } from '../settings.ts';
import { secretResource, whatFailed } from '../stored-secret.ts';

const getSecretEngine: Operation<'secretEngines.get'> = async (context, call) => {
  const { mount } = call.params;
  const caller = await secretsCaller(context, call);
  await checkVersioned(caller, mount);
  const [engine, may] = await Promise.all([readSecretEngine(caller, mount), mayChange(caller, mount)]);
  return { ...engine, may };
};

const listMounts: Operation<'secretEngines.list'> = async (context, call) => {
  const caller = await secretsCaller(context, call);
  const { items, found } = await mountsWithRights(caller, await listKeyValueMounts(caller));
  return { items, may_mount: await mayMount(caller, found) };
};

async function mountsWithRights(caller: SecretsCaller, mounts: readonly KeyValueMount[]) {
  const pathsOf = ({ path: mount, version }: KeyValueMount) => ({
    // An engine without versions lists names at its mount.
    list: version === 2 ? folderPolicyPath('metadata', { mount, path: '' }) : `${mount}/`,
    settings: policyPath('config', { mount, path: '' }),
  });
  const found = await readCapabilities(caller, [
    ...mounts.flatMap((mount) => Object.values(pathsOf(mount))),
    anyMount,
  ]);
  const items = mounts.map((mount): Mount => {
    const { list, settings } = pathsOf(mount);
    return {
      ...mount,
      may:
        found === null
          ? null
          : {
              list: allows(found.get(list), 'list'),
              read_settings: mount.version === 2 && allows(found.get(settings), 'read'),
              change_settings: mount.version === 2 && allows(found.get(settings), 'update', 'create'),
            },
    };
  });
  return { items, found };
}

const mountSecretEngine: Operation<'secretEngines.mount'> = mounting({
  name: 'secret-engine',
  body: secretEngines.mount.body,
  fieldsOf: (_caller, { description }) => ({ plugin: 'kv', description, options: { version: '2' } }),
  list: listKeyValueMounts,
  show: async (caller, found) =>
    (await mountsWithRights(caller, [found])).items[0] ?? { ...found, may: null },
  unread: ({ mount: path, description }) => ({ path, description, version: 2, may: null }),
  isSent: ({ version, description }, sent) => version === 2 && description === sent.description,
});

const updateSecretEngine: Operation<'secretEngines.update'> = audited(
  {
    became: atPlace(async (caller, place, wish) => {
      const stored = await readSecretEngine(caller, place.mount);
      return settled(stored, wish, place, hasSettings(stored, wish.body));
    }),
    harm: 'by stored state',
  },
  async (context, call) => {
    const { mount } = call.params;
    const { description, ...rules } = settingsForWire(call.body);
    const caller = await secretsCaller(context, call);
    const stored = await guardedWrite<SecretEngine>({
      note: call.note,
      resource: secretResource(caller, { mount, path: '' }, 'secret-engine'),
      expected: call.revision,
      readFirst: true,
      judge: ({ max_versions: engine }) =>
        call.guard.pass(harmOfKeeping({ own: 0, engine }, { own: 0, engine: rules.max_versions })),
      read: () => readSecretEngine(caller, mount),
      revisionOf: ({ revision }) => revision,
      failed: whatFailed,
      send: async (before) => {
        // Each has a right of its own, so only what changes is written. What is refused to more users comes first.
        if (description !== undefined && before?.description !== description)
          await describeMount(caller, mount, description);
        if (!hasSettings(before ?? {}, rules)) await writeEngine(caller, mount, rules);
        return readSecretEngine(caller, mount);
      },
      equalsSent: (engine) => hasSettings(engine, { description, ...rules }),
    });
    return { ...stored, may: await onceWritten(() => mayChange(caller, mount)) };
  },
);

const unmountSecretEngine: Operation<'secretEngines.unmount'> = audited(
  {
    became: atPlace(async (caller, { mount }) => ({
      outcome: (await ifThere(() => readSecretEngine(caller, mount))) === null ? 'succeeded' : 'failed',
    })),
  },
  async (context, call) => {
    const { mount } = call.params;
    const caller = await secretsCaller(context, call);
    await checkVersioned(caller, mount);
    await guardedDelete({
      resource: secretResource(caller, { mount, path: '' }, 'secret-engine'),
      expected: call.revision,
      read: () => ifThere(() => readSecretEngine(caller, mount)),
      revisionOf: ({ revision }) => revision,
      failed: whatFailed,
      remove: () => unmountEngine(caller, mount),
    });
  },
);

export const secretEngineOperations = resource(inSecrets, {
  'secretEngines.list': listMounts,
  'secretEngines.mount': mountSecretEngine,
  'secretEngines.get': getSecretEngine,
  'secretEngines.update': updateSecretEngine,
  'secretEngines.unmount': unmountSecretEngine,
});
