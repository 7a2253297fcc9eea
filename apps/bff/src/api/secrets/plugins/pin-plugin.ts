import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { pinBecame, writePin } from '#shared/secrets/pinned-version.ts';
import { keyOf } from '#shared/secrets/plugin-calls.ts';
import { readWholePlugin } from '#shared/secrets/stored-plugin.ts';
import { pinPlugin as pin } from '#upstreams/secrets-server/plugins.ts';

export const pinPlugin: Operation<'plugins.pin'> = audited(
  { became: pinBecame(({ version }) => version) },
  async (context, call) => {
    const key = keyOf(call.params.plugin);
    if (key.version === '') {
      throw new ProblemError('invalid-request', 'A registration without a version can’t be pinned.');
    }
    const caller = await secretsCaller(context, call);
    await writePin(caller, {
      key,
      expected: call.revision,
      version: key.version,
      send: () => pin(caller, key),
    });
    return readWholePlugin(caller, key);
  },
);
