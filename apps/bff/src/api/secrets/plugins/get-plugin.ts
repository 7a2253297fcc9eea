import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { keyOf } from '#shared/secrets/plugin-calls.ts';
import { readWholePlugin } from '#shared/secrets/stored-plugin.ts';

export const getPlugin: Operation<'plugins.get'> = async (context, call) =>
  readWholePlugin(await secretsCaller(context, call), keyOf(call.params.plugin));
