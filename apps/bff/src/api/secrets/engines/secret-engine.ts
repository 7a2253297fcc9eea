/** Settings of a key-value engine. */
import type { SecretEngine } from '@gatehouse/api-types/console/secret-metadata';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { hashOf } from '#ground/fields-revision.ts';
import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { hasSettings, settingsForWire } from '#shared/secrets/settings.ts';
import { secretResource, whatFailed } from '#shared/secrets/stored-secret.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readEngine, writeEngine } from '#upstreams/secrets-server/metadata.ts';
import { policyPath } from '#upstreams/secrets-server/place.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';

export const getSecretEngine: Operation<'getSecretEngine'> = async (context, call) => {
  const { mount } = call.params;
  const caller = await secretsCaller(context, call);
  const [engine, may] = await Promise.all([readSecretEngine(caller, mount), mayChange(caller, mount)]);
  return { ...engine, may };
};

export const updateSecretEngine: Operation<'updateSecretEngine'> = async (context, call) => {
  const { mount } = call.params;
  const fields = settingsForWire(call.body);
  const caller = await secretsCaller(context, call);
  const stored = await guardedWrite<SecretEngine>({
    resource: secretResource(caller, { mount, path: '' }, 'secret-engine'),
    expected: call.revision,
    readFirst: true,
    read: () => readSecretEngine(caller, mount),
    revisionOf: ({ revision }) => revision,
    failed: whatFailed,
    send: async () => {
      await writeEngine(caller, mount, fields);
      return readSecretEngine(caller, mount);
    },
    equalsSent: (engine) => hasSettings(engine, fields),
  });
  return { ...stored, may: await mayChange(caller, mount) };
};

/** Settings of an engine. @throws ServiceError `not-found` where there is none */
export async function readSecretEngine(caller: SecretsCaller, mount: string): Promise<SecretEngine> {
  const { max_versions, cas_required, delete_version_after } = await readEngine(caller, mount);
  const fields = { max_versions, cas_required, delete_version_after };
  return { mount, revision: hashOf(fields), ...fields, may: null };
}

async function mayChange(caller: SecretsCaller, mount: string): Promise<SecretEngine['may']> {
  const path = policyPath('config', { mount, path: '' });
  const found = await readCapabilities(caller, [path]);
  return found === null ? null : { change: allows(found.get(path), 'update', 'create') };
}
