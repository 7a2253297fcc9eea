import { isStoredAs, mergePatch } from '@gatehouse/api-types/console/json-text';
import type { WrittenVersion } from '@gatehouse/api-types/console/secrets';
import { unknownRevision } from '@gatehouse/api-types/console/unknown-revision';
import { fieldPaths, namesIn } from '#audit/wish.ts';
import { outcomeUnknown } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atPlace, written } from '#shared/secrets/became.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { checkData } from '#shared/secrets/data-text.ts';
import {
  notThere,
  orDenied,
  readNewestWithoutValues,
  secretResource,
  versionOfRevision,
  whatFailed,
} from '#shared/secrets/stored-secret.ts';
import { dataOf, writeGuarded, writtenAs } from '#shared/secrets/write-secret.ts';
import { isAnswer, type SecretsCaller } from '#upstreams/secrets-server/client.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import { patchVersion } from '#upstreams/secrets-server/versions.ts';

export const patchSecret: Operation<'secrets.patch'> = audited(
  { address: ({ body }) => ({ paths: fieldPaths(namesIn(body.data)) }), became: atPlace(written) },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const { data: patch, readable: isReadable = false } = call.body;
    checkData(patch);
    if (call.revision === unknownRevision) {
      return patchUnseen(await secretsCaller(context, call), place, patch);
    }
    const seen = versionOfRevision(call.revision);
    if (seen === 0) throw notPatchable('There is no version to patch yet. Create the first one.');
    const caller = await secretsCaller(context, call);
    try {
      return await writeGuarded({
        caller,
        place,
        seen,
        isReadable,
        send: () => patchVersion(caller, place, patch, seen),
        equalsSent: async ({ version, data }) => {
          if (version !== seen + 1 || data === null) return false;
          const before = await dataOf(caller, place, seen);
          return before !== null && isStoredAs(data, mergePatch(before, patch));
        },
      });
    } catch (error) {
      // The version is the one that was seen, or it would be a conflict: it has no values to patch.
      if (isAnswer(error, 404)) {
        throw notPatchable('The newest version is deleted. Undelete it, or write a complete new one.');
      }
      throw error;
    }
  },
);

/** Patches a secret without check-and-set, for callers who may not read its version. */
async function patchUnseen(caller: SecretsCaller, place: Place, patch: string): Promise<WrittenVersion> {
  const newest = await orDenied(readNewestWithoutValues(caller, place));
  if (newest === null) throw notThere(caller);
  if (newest !== 'denied') {
    throw notPatchable("You can read this secret's version, so send it in If-Match.");
  }
  try {
    return writtenAs(place, await patchVersion(caller, place, patch));
  } catch (error) {
    if (isAnswer(error, 404)) {
      throw notPatchable('No secret exists at this path, or its newest version is deleted.');
    }
    // A second sending could overwrite what someone else wrote after the first.
    if (whatFailed(error) === 'unknown') {
      throw outcomeUnknown({ resource: secretResource(caller, place) }, error);
    }
    throw error;
  }
}

function notPatchable(detail: string): ProblemError {
  return new ProblemError('invalid-request', detail);
}
