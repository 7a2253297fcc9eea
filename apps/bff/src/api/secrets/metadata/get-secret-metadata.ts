import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { capabilitiesOf } from '#shared/secrets/capabilities.ts';
import { answerOf } from '#shared/secrets/metadata.ts';
import { notThere } from '#shared/secrets/stored-secret.ts';
import { checkVersioned } from '#upstreams/secrets-server/check-engine.ts';
import { readMetadata } from '#upstreams/secrets-server/metadata.ts';

export const getSecretMetadata: Operation<'secretMetadata.get'> = async (context, call) => {
  const { mount, path } = call.params;
  const place = { mount, path };
  const caller = await secretsCaller(context, call);
  await checkVersioned(caller, mount);
  const [metadata, may] = await Promise.all([readMetadata(caller, place), capabilitiesOf(caller, place)]);
  if (metadata === null) throw notThere(caller);
  return answerOf(caller, place, metadata, may);
};
