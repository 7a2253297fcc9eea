import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { atPlugin, keyOf } from '#shared/secrets/plugin-calls.ts';
import { readWholePlugin } from '#shared/secrets/stored-plugin.ts';
import { listPins, pinPlugin as writePin } from '#upstreams/secrets-server/plugins.ts';

export const pinPlugin: Operation<'plugins.pin'> = audited(
  {
    became: atPlugin(async (caller, { type, name, version }) => {
      const pins = await listPins(caller);
      if (pins === null) return 'unknown';
      const pin = pins.find((one) => one.type === type && one.name === name);
      return pin?.version === version ? 'succeeded' : 'failed';
    }),
  },
  async (context, call) => {
    const key = keyOf(call.params.plugin);
    if (key.version === '') {
      throw new ProblemError('invalid-request', 'A registration without a version can’t be pinned.');
    }
    const caller = await secretsCaller(context, call);
    await writePin(caller, key);
    return readWholePlugin(caller, key);
  },
);
