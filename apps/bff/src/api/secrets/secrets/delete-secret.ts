import type { ToldVersion } from '@gatehouse/api-types/console/secrets';
import type { Became } from '#audit/became.ts';
import type { Wish } from '#audit/wish.ts';
import { conflict, outcomeUnknown } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atPlace } from '#shared/secrets/became.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import {
  isGone,
  notThere,
  readNewestWithoutValues,
  secretResource,
  versionOfRevision,
  whatFailed,
} from '#shared/secrets/stored-secret.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import { changeVersions, deleteNewest } from '#upstreams/secrets-server/versions.ts';

/**
 * The server deletes the newest version whichever it is by then. So it is read before and after: a newer one that came
 * in between, and was deleted instead, is brought back.
 */
export const deleteSecret: Operation<'secrets.delete'> = audited(
  { became: atPlace(isDeleted) },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const seen = versionOfRevision(call.revision);
    const caller = await secretsCaller(context, call);
    const resource = secretResource(caller, place);
    const changed = (current: ToldVersion) =>
      conflict<ToldVersion>(
        {
          resource,
          expected: call.revision,
          revisionOf: ({ revision }) => revision,
          changedAt: ({ created_time }) => created_time,
        },
        current,
      );

    const before = await readNewestWithoutValues(caller, place);
    if (before === null) throw notThere(caller);
    if (before.version !== seen) throw await changed(before);
    if (isGone(before)) return;
    for (let attempt = 1; ; attempt++) {
      let failure: unknown;
      try {
        await deleteNewest(caller, place);
      } catch (error) {
        if (whatFailed(error) !== 'unknown') throw error;
        failure = error;
      }
      const after = await readNewestWithoutValues(caller, place).catch((error: unknown) => {
        throw outcomeUnknown({ resource }, failure ?? error);
      });
      // Somebody removed all of it meanwhile: that is more than was asked for, and nothing is left to delete.
      if (after === null) return;
      if (after.version !== seen) {
        if (after.state === 'deleted') await changeVersions(caller, 'undelete', place, [after.version]);
        throw await changed(
          after.state === 'deleted' ? { ...after, state: 'readable', deletion_time: '' } : after,
        );
      }
      if (isGone(after)) return;
      // Still there, and still what the person saw: deleting once more is what was asked for.
      if (attempt > 1) throw outcomeUnknown({ resource }, failure);
    }
  },
);

async function isDeleted(caller: SecretsCaller, place: Place, { revision }: Wish): Promise<Became> {
  const newest = await readNewestWithoutValues(caller, place);
  if (newest === null || newest.revision !== revision) return { outcome: 'unknown' };
  return { outcome: isGone(newest) ? 'succeeded' : 'failed' };
}
