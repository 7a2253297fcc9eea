import { harmOfEngine } from '@gatehouse/api-types/console/harm-of';
import type { SecretEngine } from '@gatehouse/api-types/console/secret-metadata';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atPlace, settled } from '#shared/secrets/became.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { mayChange, readSecretEngine } from '#shared/secrets/engine.ts';
import { hasSettings, settingsForWire } from '#shared/secrets/settings.ts';
import { secretResource, whatFailed } from '#shared/secrets/stored-secret.ts';
import { writeEngine } from '#upstreams/secrets-server/metadata.ts';

export const updateSecretEngine: Operation<'secretEngines.update'> = audited(
  {
    became: atPlace(async (caller, place, wish) => {
      const stored = await readSecretEngine(caller, place.mount);
      return settled(stored, wish, place, hasSettings(stored, wish.body));
    }),
    harm: 'by stored state',
  },
  async (context, call) => {
    const { mount } = call.params;
    const fields = settingsForWire(call.body);
    const caller = await secretsCaller(context, call);
    const stored = await guardedWrite<SecretEngine>({
      resource: secretResource(caller, { mount, path: '' }, 'secret-engine'),
      expected: call.revision,
      readFirst: true,
      judge: ({ max_versions }) => call.guard.pass(harmOfEngine(max_versions, call.body.max_versions)),
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
  },
);
