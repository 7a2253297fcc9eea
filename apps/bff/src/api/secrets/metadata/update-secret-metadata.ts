import { audited, type Operation } from '#operation/operation.ts';
import { atPlace, settled } from '#shared/secrets/became.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { readSecretMetadata, writeSettings } from '#shared/secrets/metadata.ts';
import { hasSettings, settingsForWire } from '#shared/secrets/settings.ts';
import { writeMetadata } from '#upstreams/secrets-server/metadata.ts';

export const updateSecretMetadata: Operation<'secretMetadata.update'> = audited(
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
