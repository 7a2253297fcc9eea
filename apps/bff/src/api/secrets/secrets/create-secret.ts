import { fieldPaths, namesIn } from '#audit/wish.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atPlace, written } from '#shared/secrets/became.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { checkData } from '#shared/secrets/data-text.ts';
import { holdsSent, isGone, orDenied, readNewestWithoutValues } from '#shared/secrets/stored-secret.ts';
import { writeGuarded } from '#shared/secrets/write-secret.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import { writeVersion } from '#upstreams/secrets-server/versions.ts';

export const createSecret: Operation<'secrets.create'> = audited(
  { address: ({ body }) => ({ paths: fieldPaths(namesIn(body.data)) }), became: atPlace(written) },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const { data, again = false } = call.body;
    checkData(data);
    const caller = await secretsCaller(context, call);
    const seen = again ? await deletedVersion(caller, place) : 0;
    return writeGuarded({
      caller,
      place,
      seen,
      send: () => writeVersion(caller, place, data, seen),
      equalsSent: holdsSent(seen, data),
    });
  },
);

/** The version that a secret follows on which is wanted again; 0 where nothing of it is left, or it is not deleted. */
async function deletedVersion(caller: SecretsCaller, place: Place): Promise<number> {
  const newest = await orDenied(readNewestWithoutValues(caller, place));
  return newest !== null && newest !== 'denied' && isGone(newest) ? newest.version : 0;
}
