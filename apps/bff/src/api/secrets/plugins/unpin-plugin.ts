import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { atPlugin, keyOf } from '#shared/secrets/plugin-calls.ts';
import { listPins, unpinPlugin as removePin } from '#upstreams/secrets-server/plugins.ts';

export const unpinPlugin: Operation<'plugins.unpin'> = audited(
  {
    became: atPlugin(async (caller, { type, name }) => {
      const pins = await listPins(caller);
      if (pins === null) return 'unknown';
      return pins.some((one) => one.type === type && one.name === name) ? 'failed' : 'succeeded';
    }),
  },
  async (context, call) => removePin(await secretsCaller(context, call), keyOf(call.params.plugin)),
);
