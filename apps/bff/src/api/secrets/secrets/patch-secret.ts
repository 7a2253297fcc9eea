import { isStoredAs, mergePatch } from '@gatehouse/api-types/console/json-text';
import { fieldPaths, namesIn } from '#audit/wish.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atPlace, written } from '#shared/secrets/became.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { checkData } from '#shared/secrets/data-text.ts';
import { versionOfRevision } from '#shared/secrets/stored-secret.ts';
import { dataOf, writeGuarded } from '#shared/secrets/write-secret.ts';
import { isAnswer } from '#upstreams/secrets-server/client.ts';
import { patchVersion } from '#upstreams/secrets-server/versions.ts';

export const patchSecret: Operation<'secrets.patch'> = audited(
  { address: ({ body }) => ({ paths: fieldPaths(namesIn(body.data)) }), became: atPlace(written) },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const { data: patch, readable: isReadable = false } = call.body;
    const seen = versionOfRevision(call.revision);
    checkData(patch);
    if (seen === 0) throw notPatchable('There is no version yet to patch: write the first one.');
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
        throw notPatchable('The newest version is deleted: undelete it, or write a whole new one.');
      }
      throw error;
    }
  },
);

function notPatchable(detail: string): ProblemError {
  return new ProblemError('invalid-request', detail);
}
