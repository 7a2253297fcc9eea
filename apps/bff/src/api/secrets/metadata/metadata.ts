import { ProblemError } from '#ground/problem.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import { checkVersioned } from '#upstreams/secrets-server/check-engine.ts';
import { writeMetadata, patchMetadata, readMetadata } from '#upstreams/secrets-server/metadata.ts';
import { atPlace, settled } from '../became.ts';
import { inSecrets, secretsCaller } from '../caller.ts';
import { capabilitiesOf } from '../capabilities.ts';
import { readSecretMetadata, writeSettings, hasChanges, answerOf } from '../metadata.ts';
import { hasSettings, settingsForWire } from '../settings.ts';
import { notThere } from '../stored-secret.ts';

const getSecretMetadata: Operation<'secretMetadata.get'> = async (context, call) => {
  const { mount, path } = call.params;
  const place = { mount, path };
  const caller = await secretsCaller(context, call);
  await checkVersioned(caller, mount);
  const [metadata, may] = await Promise.all([readMetadata(caller, place), capabilitiesOf(caller, place)]);
  if (metadata === null) throw notThere(caller);
  return answerOf(caller, place, metadata, may);
};

const patchSecretMetadata: Operation<'secretMetadata.patch'> = audited(
  {
    became: atPlace(async (caller, place, wish) => {
      const stored = await readSecretMetadata(caller, place);
      return settled(stored, wish, place, hasChanges(stored ?? {}, wish.body));
    }),
    harm: 'by stored state',
  },
  async (context, call) => {
    const { mount, path } = call.params;
    if (Object.keys(call.body).length === 0) {
      throw new ProblemError('invalid-request', "The request doesn't change any field.");
    }
    const changes = settingsForWire(call.body);
    const caller = await secretsCaller(context, call);
    return writeSettings(caller, { mount, path }, call.revision, {
      guard: call.guard,
      maxVersions: call.body.max_versions,
      send: (place, cas) => patchMetadata(caller, place, changes, cas),
      equalsSent: (stored) => hasChanges(stored, changes),
    });
  },
);

const updateSecretMetadata: Operation<'secretMetadata.update'> = audited(
  {
    became: atPlace(async (caller, place, wish) => {
      const stored = await readSecretMetadata(caller, place);
      return settled(stored, wish, place, hasSettings(stored ?? {}, wish.body));
    }),
    harm: 'by stored state',
  },
  async (context, call) => {
    const { mount, path } = call.params;
    const fields = settingsForWire(call.body);
    const caller = await secretsCaller(context, call);
    return writeSettings(caller, { mount, path }, call.revision, {
      guard: call.guard,
      maxVersions: call.body.max_versions,
      send: (place, cas) => writeMetadata(caller, place, fields, cas),
      equalsSent: (stored) => hasSettings(stored, fields),
    });
  },
);

export const secretMetadataOperations = resource(inSecrets, {
  'secretMetadata.get': getSecretMetadata,
  'secretMetadata.update': updateSecretMetadata,
  'secretMetadata.patch': patchSecretMetadata,
});
