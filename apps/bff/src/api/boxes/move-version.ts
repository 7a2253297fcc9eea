import type { BoxVersion } from '@gatehouse/api-types/console/boxes';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { unchanged, type AuditNote } from '#ground/call.ts';
import { moveVersion, type VersionPlace } from '#upstreams/box-registry/boxes.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { isAnswer, ServiceError } from '#upstreams/service-error.ts';
import { versions } from './kinds.ts';
import { storedRecord } from './records.ts';

const refusals = {
  release:
    "This version can't be released. It needs a provider with an address, or with an uploaded image that matches its checksum, and it must not be revoked.",
  revoke: 'Only a released version can be revoked.',
} as const;

/** The status of a version after each change. */
export const statusAfter = { release: 'active', revoke: 'revoked' } as const;

/**
 * Releases or revokes a version at the revision that the user saw.
 * @param expected its revision; for a release, which publishes its providers, the whole revision
 * @returns the version, and the version before; without `before` if nothing had to be done
 * @throws ProblemError `conflict` if the version has changed; ServiceError `invalid-request` if the registry refuses
 */
export async function moveStoredVersion(
  how: keyof typeof statusAfter,
  caller: BoxesCaller,
  at: VersionPlace,
  { revision, note }: { readonly revision: string; readonly note: AuditNote },
): Promise<{ readonly version: BoxVersion; readonly before?: BoxVersion }> {
  const record = storedRecord(versions, caller, at, note);
  let before: BoxVersion | undefined;
  const version = await guardedWrite({
    ...record,
    ...(how === 'release' && { revisionOf: (stored: BoxVersion) => stored.whole_revision }),
    expected: revision,
    readFirst: true,
    equalsSent: ({ status }) => status === statusAfter[how],
    judge: (stored) => void (before = stored),
    send: async () => {
      // Some registries refuse to repeat the change.
      if (before?.status === statusAfter[how]) {
        note.changed(unchanged);
        return before;
      }
      try {
        return await moveVersion(caller, at, how);
      } catch (error) {
        if (!isAnswer(error, 422)) throw error;
        throw new ServiceError('invalid-request', refusals[how], record.resource, {
          delivery: 'answered',
          status: 422,
        });
      }
    },
  });
  return { version, ...(before !== undefined && before.status !== version.status && { before }) };
}
