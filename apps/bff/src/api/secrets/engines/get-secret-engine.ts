import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { mayChange, readSecretEngine } from '#shared/secrets/engine.ts';
import { checkVersioned } from '#upstreams/secrets-server/check-engine.ts';

export const getSecretEngine: Operation<'secretEngines.get'> = async (context, call) => {
  const { mount } = call.params;
  const caller = await secretsCaller(context, call);
  await checkVersioned(caller, mount);
  const [engine, may] = await Promise.all([readSecretEngine(caller, mount), mayChange(caller, mount)]);
  return { ...engine, may };
};
