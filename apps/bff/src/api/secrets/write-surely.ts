import type { VersionMetadata } from '@gatehouse/api-types/services/secrets-server';
import { outcomeUnknown } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { isAnswer, type SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readMetadata } from '#upstreams/secrets-server/metadata.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import { readVersion, writeVersion } from '#upstreams/secrets-server/versions.ts';
import { hasData, orDenied, secretResource, whatFailed } from './stored-secret.ts';

/** A version that was written. */
export type Written = Pick<VersionMetadata, 'version' | 'created_time'>;

/**
 * Writes a version as a step of a sequence, which can't resolve conflicts. A lost answer is looked for.
 * @param cas the version that must be the newest; 0 for none
 * @returns the version with its time, as a secret created again may reuse the number
 * @throws ProblemError `conflict` if another version is the newest, `outcome-unknown`; ServiceError
 */
export async function writeSurely(
  caller: SecretsCaller,
  place: Place,
  data: string,
  cas: number,
): Promise<Written> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeVersion(caller, place, data, cas);
    } catch (error) {
      const failed = whatFailed(error);
      const mayBeDone = attempt > 1 || failed === 'unknown' || isAnswer(error, 500);
      if (failed === 'refused' && !mayBeDone) throw error;
      const newest = await newestOf(caller, place).catch((cause: unknown) => {
        throw failed === 'stale' && !mayBeDone ? changedMeanwhile(caller) : unknownAt(caller, place, cause);
      });
      // After a refusal, the same values are someone else's.
      const found =
        mayBeDone && newest !== 'denied' && newest > cas
          ? await holding(caller, place, cas + 1, data)
          : undefined;
      if (found === 'denied') throw unknownAt(caller, place, error);
      if (found !== undefined) return found;
      if (newest === 'denied') {
        // Only the server's own check can decide.
        if (mayBeDone && (attempt > 1 || failed !== 'unknown')) throw unknownAt(caller, place, error);
      } else if (newest !== cas) throw changedMeanwhile(caller);
      if (failed === 'stale') throw changedMeanwhile(caller);
      if (failed !== 'unknown' || attempt > 1) throw error;
    }
  }
}

/** Whether a version may be stored although `writeSurely` failed with this error. */
export function mayBeWritten(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return true;
  return error.code === 'outcome-unknown' || whatFailed(error) === 'unknown';
}

/**
 * A version with these values, as rounded by the server.
 * @returns undefined if it doesn't exist or has other values; `denied` if the user can't read it
 */
export async function holding(
  caller: SecretsCaller,
  place: Place,
  version: number,
  data: string,
): Promise<Written | 'denied' | undefined> {
  const stored = await orDenied(readVersion(caller, place, version));
  if (stored === 'denied') return 'denied';
  const isIt = stored !== null && stored.text !== null && hasData(stored.text, data, true);
  return isIt ? stored.metadata : undefined;
}

/** Whether a version is the written one; false if nothing of it can be read. */
export async function isWritten(
  caller: SecretsCaller,
  place: Place,
  { version, created_time }: Written,
): Promise<boolean> {
  const metadata = await orDenied(readMetadata(caller, place));
  if (metadata !== 'denied') return metadata?.versions[version]?.created_time === created_time;
  const stored = await orDenied(readVersion(caller, place, version));
  return stored !== 'denied' && stored?.metadata.created_time === created_time;
}

/** The newest version's number: 0 if none exists, `denied` if the user can read nothing of the secret. */
export async function newestOf(caller: SecretsCaller, place: Place): Promise<number | 'denied'> {
  const metadata = await orDenied(readMetadata(caller, place));
  if (metadata !== 'denied') return metadata?.current_version ?? 0;
  const newest = await orDenied(readVersion(caller, place));
  return newest === 'denied' ? newest : (newest?.metadata.version ?? 0);
}

function unknownAt(caller: SecretsCaller, place: Place, cause: unknown): ProblemError {
  return outcomeUnknown({ resource: secretResource(caller, place) }, cause);
}

function changedMeanwhile({ transport: { environment, service } }: SecretsCaller): ProblemError {
  return new ProblemError('conflict', 'Another write changed this secret. Nothing was overwritten.', {
    environment,
    service,
  });
}
