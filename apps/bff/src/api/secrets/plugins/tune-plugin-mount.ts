import {
  isBuiltinVersion,
  revisionOfVersion,
  writtenVersion,
} from '@gatehouse/api-types/console/plugin-values';
import { plugins, type PluginMount } from '@gatehouse/api-types/console/plugins';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { whatFailed } from '#shared/secrets/stored-secret.ts';
import { wished } from '#shared/secrets/wished.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { listMountsOfPlugins, tuneMount } from '#upstreams/secrets-server/mounts.ts';

export const tunePluginMount: Operation<'plugins.tuneMount'> = audited(
  {
    address: ({ params }) => ({ id: params.mount }),
    became: async (context, call, intent, wish) => {
      const found = await mountAt(await secretsCaller(context, call), intent.resource_id);
      const sent = wished(plugins.tuneMount.body, wish);
      if (found === undefined || sent === undefined) return { outcome: 'unknown' };
      const version = writtenVersion(sent.plugin_version);
      if (version === '') return { outcome: 'unknown' };
      return { outcome: found.configured_version === keptAs(version) ? 'succeeded' : 'failed' };
    },
  },
  async (context, call) => {
    const { mount } = call.params;
    const version = writtenVersion(call.body.plugin_version);
    const caller = await secretsCaller(context, call);
    const { environment, service } = caller.transport;
    const read = async (): Promise<PluginMount> => {
      const found = await mountAt(caller, mount);
      if (found !== undefined) return found;
      throw new ProblemError('not-found', 'Nothing is mounted at this path, or you may not see it.', {
        environment,
        service,
      });
    };
    const found = await guardedWrite<PluginMount>({
      resource: { environment, service, kind: 'plugin-mount', id: mount },
      expected: call.revision,
      readFirst: true,
      read,
      revisionOf: ({ configured_version }) => revisionOfVersion(configured_version),
      failed: whatFailed,
      send: async () => {
        await tuneMount(caller, mount, version);
        return read();
      },
      equalsSent: ({ configured_version }) => version !== '' && configured_version === keptAs(version),
    });
    // Of an empty one the server makes what the catalog has: one without a version, or the newest.
    if (version !== '' && found.configured_version !== keptAs(version)) {
      const message = "The server didn't keep this version.";
      throw new ProblemError('bad-answer', `${message} It may not support setting the version of a mount.`, {
        environment,
        service,
        fields: [{ path: 'plugin_version', message }],
      });
    }
    return found;
  },
);

/** What a mount is set to by a version: to none by the built-in one. */
function keptAs(version: string): string {
  return isBuiltinVersion(version) ? '' : version;
}

async function mountAt(caller: SecretsCaller, mount: string): Promise<PluginMount | undefined> {
  return (await listMountsOfPlugins(caller))?.find(({ path }) => path === mount);
}
