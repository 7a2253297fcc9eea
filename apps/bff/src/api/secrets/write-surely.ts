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
      if (failed === 'refused') throw error;
      const newest = await newestOf(caller, place).catch((cause: unknown) => {
        if (failed === 'stale') throw changedMeanwhile(caller);
        throw outcomeUnknown({ resource: secretResource(caller, place) }, cause);
      });
      const mayBeDone = failed === 'unknown' || attempt > 1;
      const found = newest === cas + 1 ? await holding(caller, place, newest, data, mayBeDone) : undefined;
      if (found !== undefined) return found;
      if (newest !== cas) throw changedMeanwhile(caller);
      if (failed === 'stale') throw changedMeanwhile(caller);
      if (failed === 'perhaps-stale' || attempt > 1) throw error;
    }
  }
}

/**
 * A version with these values; undefined if none exists, or it can't be read.
 * @param mayBeDone like `hasData`
 */
export async function holding(
  caller: SecretsCaller,
  place: Place,
  version: number,
  data: string,
  mayBeDone = true,
): Promise<Written | undefined> {
  const stored = await orDenied(readVersion(caller, place, version));
  const isIt =
    stored !== 'denied' && stored !== null && stored.text !== null && hasData(stored.text, data, mayBeDone);
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

/** The newest version's number; 0 if none exists. */
export async function newestOf(caller: SecretsCaller, place: Place): Promise<number> {
  const metadata = await orDenied(readMetadata(caller, place));
  if (metadata !== 'denied') return metadata?.current_version ?? 0;
  try {
    return (await readVersion(caller, place))?.metadata.version ?? 0;
  } catch (error) {
    // Nothing can be read, so only the server's own check can decide.
    if (isAnswer(error, 403)) return 0;
    throw error;
  }
}

function changedMeanwhile({ transport: { environment, service } }: SecretsCaller): ProblemError {
  return new ProblemError('conflict', 'Another write changed this secret. Nothing was overwritten.', {
    environment,
    service,
  });
}
