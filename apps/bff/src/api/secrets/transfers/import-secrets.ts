import type { TransferStep } from '@gatehouse/api-types/console/secret-transfers';
import { cannotTell } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { deleteMetadata, readMetadata } from '#upstreams/secrets-server/metadata.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import { changeVersions, readVersion, type ReadVersion } from '#upstreams/secrets-server/versions.ts';
import { secretsCaller } from '../caller.ts';
import { deletedVersion, removed, restored, wrote } from '../changes-of-sequence.ts';
import { checkEntries } from '../data-text.ts';
import { isBare } from '../metadata.ts';
import { doStep, nothingWritten, runSequence, stepLine, type Sequence } from '../steps.ts';
import { atSecret, orDenied } from '../stored-secret.ts';
import { holding, isWritten, mayBeWritten, newestOf, writeSurely, type Written } from '../write-surely.ts';

interface Entry {
  readonly path: string;
  readonly data: string;
  readonly revision: string;
}

export const importSecrets: Operation<'secretTransfers.import'> = audited(
  { became: cannotTell },
  async (context, call) => {
    const { mount } = call.params;
    const { entries } = call.body;
    await checkEntries(entries, call.slices);
    const caller = await secretsCaller(context, call, true);
    return runSequence(entries.length, call.note, async function* (sequence) {
      for (const entry of entries) yield await write(caller, mount, entry, sequence);
    });
  },
);

async function write(
  caller: SecretsCaller,
  mount: string,
  { path, data, revision }: Entry,
  sequence: Sequence,
): Promise<TransferStep> {
  const place = { mount, path };
  const before = Number(revision);
  const words = { action: 'write', place, version: before + 1 } as const;
  await doStep(words, async () => {
    // The previous values are kept for undoing.
    const old = before === 0 ? null : await orDenied(readVersion(caller, place, before));
    const sent: Sent = { data, before, old, written: undefined, mayBeWritten: false };
    sequence.undos.push({
      place,
      run: () => atSecret(caller, place, () => putBack(caller, place, sent, sequence)),
    });
    try {
      sent.written = await atSecret(caller, place, () => writeSurely(caller, place, data, before));
    } catch (error) {
      sent.mayBeWritten = mayBeWritten(error);
      throw error;
    }
    await sequence.did(wrote(place, before + 1, data));
  });
  sequence.written += 1;
  return stepLine(words);
}

/** A version that was sent. */
interface Sent {
  readonly data: string;
  /** The newest version before the import; 0 for none. */
  readonly before: number;
  readonly old: ReadVersion | 'denied' | null;
  /** The written version; undefined if the write failed. */
  written: Written | undefined;
  /** Whether a failed write may have been made. */
  mayBeWritten: boolean;
}

/** Restores a secret's state before the import, unless someone has written to it since. */
async function putBack(
  caller: SecretsCaller,
  place: Place,
  { data, before, old, written, mayBeWritten: isUnknown }: Sent,
  { did }: Sequence,
): Promise<string | undefined> {
  if (written === undefined && !isUnknown) return nothingWritten;
  const newest = await newestOf(caller, place);
  const found = written ?? (await holding(caller, place, before + 1, data));
  if (newest === 'denied' || found === 'denied')
    throw new ProblemError(
      'forbidden',
      "Your token can't read this secret to check it, so it was left as it is.",
    );
  if (newest <= before && written !== undefined) return 'This secret was deleted after the import.';
  // Whatever is stored there is someone else's.
  if (newest <= before || found === undefined) return nothingWritten;
  if (newest > before + 1) {
    throw new ProblemError(
      'conflict',
      `Another write changed this secret after the import, so it was left as it is. The imported values are version ${before + 1}.`,
    );
  }
  if (!(await isWritten(caller, place, found)))
    throw new ProblemError(
      'conflict',
      'This secret was deleted and created again after the import, so it was left as it is.',
    );
  const metadata = before === 0 ? await orDenied(readMetadata(caller, place)) : null;
  // Settings and custom metadata are someone else's, and may exist if they can't be read.
  if (metadata !== null && metadata !== 'denied' && isBare(metadata)) {
    await deleteMetadata(caller, place);
    await did(removed(place));
  } else if (old === 'denied') {
    throw new ProblemError(
      'forbidden',
      `Your token can't read the previous values, so they weren't restored. They are still stored as version ${before}.`,
    );
  } else if (old === null || old.text === null) {
    await changeVersions(caller, 'delete', place, [newest]);
    await did(deletedVersion(place, newest));
  } else {
    await did(restored(place, before, (await writeSurely(caller, place, old.text, newest)).version));
  }
  return undefined;
}
