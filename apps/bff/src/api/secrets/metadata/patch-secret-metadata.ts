import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atPlace, settled } from '#shared/secrets/became.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { hasChanges, readSecretMetadata, writeSettings } from '#shared/secrets/metadata.ts';
import { settingsForWire } from '#shared/secrets/settings.ts';
import { patchMetadata } from '#upstreams/secrets-server/metadata.ts';

export const patchSecretMetadata: Operation<'secretMetadata.patch'> = audited(
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
