import { cloudEngines, type CloudEngine } from '@gatehouse/api-types/console/cloud-engines';
import { conflict, outcomeUnknown } from '#conflict/guarded-write.ts';
import { hashOf } from '#ground/fields-revision.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { engineOf, listCloudMounts, mayWithEngine } from '#shared/secrets/cloud-engines.ts';
import { whatFailed } from '#shared/secrets/stored-secret.ts';
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
      const isDone = found.plugin === sent?.plugin && found.description === sent.description;
      return { outcome: isDone ? 'succeeded' : 'unknown' };
    },
  },
  async (context, call) => {
    const { mount, ...fields } = call.body;
    const caller = await secretsCaller(context, call);
    const { environment, service } = caller.transport;
    if (!isCloudPlugin(fields.plugin)) {
      const message = 'This is no plugin of a cloud credentials engine.';
      throw new ProblemError('invalid-request', message, {
        environment,
        service,
        fields: [{ path: 'plugin', message }],
      });
    }
    const resource = { environment, service, kind: 'cloud-engine', id: mount };
    const before = await mountAt(caller, mount);
    if (before !== undefined) {
      throw await conflict<CloudEngine>(
        { resource, expected: '', creates: true, revisionOf: (engine) => hashOf(engine) },
        await engineOf(caller, before, await mayWithEngine(caller, mount)),
      );
    }
    let failure: unknown;
    try {
      await mountEngine(caller, mount, fields);
    } catch (error) {
      if (whatFailed(error) !== 'unknown') throw error;
      failure = error;
    }
    const mounted = await mountAt(caller, mount).catch((error: unknown) => {
      throw outcomeUnknown({ resource }, failure ?? error);
    });
    if (mounted === undefined) throw outcomeUnknown({ resource }, failure);
    return engineOf(caller, mounted, await mayWithEngine(caller, mount));
  },
);

async function mountAt(caller: SecretsCaller, mount: string): Promise<MountOfPlugin | undefined> {
  return (await listCloudMounts(caller)).find(({ path }) => path === mount);
}
