import type { CloudRoot } from '@gatehouse/api-types/console/cloud-engines';
import { harmOfCloudRoot } from '@gatehouse/api-types/console/harm-of';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atEngine, cloudCaller, cloudResource } from '#shared/secrets/cloud-calls.ts';
import { mayWithEngine } from '#shared/secrets/cloud-engines.ts';
import { isRoot, readCloudRoot, rootBody } from '#shared/secrets/cloud-root.ts';
import { invalidField } from '#shared/secrets/invalid-field.ts';
import { whatFailed } from '#shared/secrets/stored-secret.ts';
import { writeRoot } from '#upstreams/secrets-server/cloud.ts';

/** Replaces the root configuration, but for fields that the console does not know. */
export const updateCloudRoot: Operation<'cloudEngines.updateRoot'> = audited(
  {
    became: atEngine(async (caller, mount, { body, revision }) => {
      const stored = await readCloudRoot(caller, mount);
      // The secret key can't be read: what looks as before may have another one.
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
      throw invalidField(caller, path, 'Enter both keys, or neither to use the server’s own credentials.');
    }
    let other: CloudRoot['other'] = {};
    let isSent = false;
    const stored = await guardedWrite<CloudRoot>({
      resource: cloudResource(caller, 'cloud-root', mount),
      expected: call.revision,
      readFirst: true,
      read: () => readCloudRoot(caller, mount),
      revisionOf: ({ revision }) => revision,
      judge: (before) => {
        ({ other } = before);
        return call.guard.pass(harmOfCloudRoot(before));
      },
      failed: whatFailed,
      send: async () => {
        isSent = true;
        await writeRoot(caller, mount, rootBody(body, other));
        return readCloudRoot(caller, mount);
      },
      // The secret key can't be compared: only after a write of one's own is what looks like it taken for it.
      equalsSent: (after) => isSent && body.access_key !== '' && isRoot(after, body),
    });
    const time = new Date(caller.now()).toISOString();
    const by = call.session.personName || call.session.loginName;
    return { ...stored, changed: { time, by }, may: await mayWithEngine(caller, mount) };
  },
);
