import { cloudEngines, type CloudEngine } from '@gatehouse/api-types/console/cloud-engines';
import { outcomeUnknown } from '#conflict/guarded-write.ts';
import { hashOf } from '#ground/fields-revision.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { cloudResource } from '#shared/secrets/cloud-calls.ts';
import { engineOf, listCloudMounts, mayWithEngine } from '#shared/secrets/cloud-engines.ts';
import { guardedCreate } from '#shared/secrets/guarded-create.ts';
import { invalidField } from '#shared/secrets/invalid-field.ts';
import { wished } from '#shared/secrets/wished.ts';
import { isCloudPlugin } from '#upstreams/secrets-server/check-engine.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { mountEngine, type MountOfPlugin } from '#upstreams/secrets-server/mounts.ts';

export const mountCloudEngine: Operation<'cloudEngines.mount'> = audited(
  {
    address: ({ body }) => ({ id: body.mount }),
    became: async (context, call, intent, wish) => {
      const found = await mountAt(await secretsCaller(context, call), intent.resource_id);
      if (found === undefined) return { outcome: 'failed' };
      const sent = wished(cloudEngines.mount.body, wish);
      return { outcome: sent !== undefined && isMountedAs(found, sent) ? 'succeeded' : 'unknown' };
    },
  },
  async (context, call) => {
    const { mount, ...fields } = call.body;
    const caller = await secretsCaller(context, call);
    if (!isCloudPlugin(fields.plugin))
      throw invalidField(caller, 'plugin', "This plugin isn't a cloud credentials engine.");
    const resource = cloudResource(caller, 'cloud-engine', mount);
    const read = async (): Promise<CloudEngine | null> => {
      const found = await mountAt(caller, mount);
      return found === undefined ? null : engineOf(caller, found, await mayWithEngine(caller, mount));
    };
    return guardedCreate({
      resource,
      revisionOf: hashOf,
      read,
      send: async () => {
        await mountEngine(caller, mount, fields);
        const mounted = await read().catch((error: unknown) => {
          throw outcomeUnknown({ resource }, error);
        });
        if (mounted === null) throw outcomeUnknown({ resource }, undefined);
        return mounted;
      },
      equalsSent: (engine) => isMountedAs(engine, fields),
    });
  },
);

async function mountAt(caller: SecretsCaller, mount: string): Promise<MountOfPlugin | undefined> {
  return (await listCloudMounts(caller)).find(({ path }) => path === mount);
}

type AsMounted = Pick<CloudEngine, 'plugin' | 'description'>;

function isMountedAs(found: AsMounted, sent: AsMounted): boolean {
  return found.plugin === sent.plugin && found.description === sent.description;
}
