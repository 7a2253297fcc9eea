import { cloudLeaseFields, type CloudLeaseSettings } from '@gatehouse/api-types/console/cloud-engines';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atEngine, cloudCaller, cloudResource } from '#shared/secrets/cloud-calls.ts';
import { mayWithEngine } from '#shared/secrets/cloud-engines.ts';
import { areTimes, readCloudLease } from '#shared/secrets/cloud-root.ts';
import { whatFailed } from '#shared/secrets/stored-secret.ts';
import { wished } from '#shared/secrets/wished.ts';
import { writeLeaseTimes } from '#upstreams/secrets-server/cloud.ts';

export const updateCloudLease: Operation<'cloudEngines.updateLease'> = audited(
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
    return { ...stored, may: await mayWithEngine(caller, mount) };
  },
);
