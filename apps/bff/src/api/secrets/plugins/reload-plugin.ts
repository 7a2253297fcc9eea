import { cannotTell } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { keyOf } from '#shared/secrets/plugin-calls.ts';
import { reloadPlugin as reload } from '#upstreams/secrets-server/plugins.ts';

export const reloadPlugin: Operation<'plugins.reload'> = audited(
  { became: cannotTell },
  async (context, call) => ({
    reload_id: await reload(await secretsCaller(context, call), keyOf(call.params.plugin), call.body.mounts),
  }),
);
