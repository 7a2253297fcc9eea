import type { Operation } from '../../http/operation.ts';
import { readVersion } from '../../upstreams/secrets-server/versions.ts';
import { secretsCaller } from './caller.ts';
import { notThere } from './get-secret.ts';
import { orDenied, readNewestWithoutValues, secretVersionOf } from './stored-secret.ts';

export const revealSecret: Operation<'revealSecret'> = async (context, call) => {
  const { mount, path } = call.params;
  const place = { mount, path };
  const { version } = call.body;
  const caller = await secretsCaller(context, call);
  const read = await readVersion(caller, place, version);
  if (read === null) throw notThere(caller, version);
  if (version === undefined) return secretVersionOf(place, read);
  const newest = await orDenied(readNewestWithoutValues(caller, place));
  return secretVersionOf(
    place,
    read,
    newest === 'denied' || newest === null ? read.metadata.version : newest.version,
  );
};
