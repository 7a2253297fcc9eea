import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { mayChange, readSecretEngine } from '#shared/secrets/engine.ts';

export const getSecretEngine: Operation<'secretEngines.get'> = async (context, call) => {
  const { mount } = call.params;
  const caller = await secretsCaller(context, call);
  const [engine, may] = await Promise.all([readSecretEngine(caller, mount), mayChange(caller, mount)]);
  return { ...engine, may };
};
