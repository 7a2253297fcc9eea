import { guardedDelete } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { atPlugin, keyOf } from '#shared/secrets/plugin-calls.ts';
import { checkChangeable, pluginResource, readRegistration } from '#shared/secrets/stored-plugin.ts';
import { whatFailed } from '#shared/secrets/stored-secret.ts';
import { deletePlugin as removePlugin } from '#upstreams/secrets-server/plugins.ts';

export const deletePlugin: Operation<'plugins.delete'> = audited(
  {
    became: atPlugin(async (caller, key) =>
      (await readRegistration(caller, key)) === null ? 'succeeded' : 'failed',
    ),
  },
  async (context, call) => {
    const key = keyOf(call.params.plugin);
    const caller = await secretsCaller(context, call);
    await guardedDelete({
      resource: pluginResource(caller, key),
      expected: call.revision,
      read: async () => {
        const stored = await readRegistration(caller, key);
        if (stored !== null) checkChangeable(caller, stored);
        return stored;
      },
      revisionOf: ({ revision }) => revision,
      failed: whatFailed,
      remove: () => removePlugin(caller, key),
    });
  },
);
