import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { pinBecame, writePin } from '#shared/secrets/pinned-version.ts';
import { keyOf } from '#shared/secrets/plugin-calls.ts';
import { unpinPlugin as unpin } from '#upstreams/secrets-server/plugins.ts';

export const unpinPlugin: Operation<'plugins.unpin'> = audited(
  { became: pinBecame(() => '') },
  async (context, call) => {
    const key = keyOf(call.params.plugin);
    const caller = await secretsCaller(context, call);
    await writePin(caller, { key, expected: call.revision, version: '', send: () => unpin(caller, key) });
  },
);
