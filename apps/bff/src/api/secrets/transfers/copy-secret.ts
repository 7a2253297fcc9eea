/** Copies a secret to a path where nothing exists, and undoes that. */
import { sameJson } from '@gatehouse/api-types/console/json-text';
import type { TransferStep } from '@gatehouse/api-types/console/secret-transfers';
import type { KeyMetadata } from '@gatehouse/api-types/services/secrets-server';
import { ProblemError } from '#ground/problem.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { deleteMetadata, readMetadata, writeMetadata } from '#upstreams/secrets-server/metadata.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import { changeVersions, readVersion } from '#upstreams/secrets-server/versions.ts';
import { deletedVersion, removed, setSettings, wrote } from '../changes-of-sequence.ts';
import { isBare, metadataRevision } from '../metadata.ts';
import { doStep, nothingWritten, stepLine, type Sequence, type Undo } from '../steps.ts';
import { atSecret, orDenied, stateOf, whatFailed } from '../stored-secret.ts';
import { settingsFirst, type PlannedSecret } from '../transfer-plan.ts';
import { holding, isWritten, mayBeWritten, newestOf, writeSurely, type Written } from '../write-surely.ts';

/** The state of a copy. */
interface Copy {
  readonly caller: SecretsCaller;
  readonly secret: PlannedSecret;
  readonly sequence: Sequence;
  readonly isMove: boolean;
  /** The versions known to be written. */
  readonly written: Written[];
  /** The values of the next version, if it may have been written. */
  sent: string | undefined;
  /** The source's, if its settings and custom metadata may have been written. */
  settings: KeyMetadata | undefined;
}

/** @returns the newest version of the copy; undefined if there is nothing to copy */
export async function* copySecret(
  caller: SecretsCaller,
  secret: PlannedSecret,
  isMove: boolean,
  sequence: Sequence,
): AsyncGenerator<TransferStep, Written | undefined> {
  const { from, to, metadata, versions } = secret;
  const [oldest, ...others] = versions;
  if (oldest === undefined) {
    const detail = 'This secret stays where it is: none of the requested versions can be read.';
    yield stepLine({ action: 'read', place: from, detail }, 'skipped');
    return undefined;
  }
  const copy: Copy = {
    caller,
    secret,
    sequence,
    isMove,
    written: [],
    sent: undefined,
    settings: undefined,
  };
  sequence.undos.push({ place: to, run: () => atSecret(caller, to, () => removeCopy(copy)) });
  let data = await valuesOf(copy, oldest);
  const begun: TransferStep[] = [];
  try {
    await atSecret(caller, to, () => begin(copy, data, begun));
  } finally {
    yield* begun;
  }
  for (const version of others) {
    data = await valuesOf(copy, version);
    yield await atSecret(caller, to, () => writeNext(copy, data));
  }
  sequence.written += 1;
  const checking = { action: 'check', place: to, version: versions.length } as const;
  await doStep(checking, () => checkCopy(caller, to, versions.length, data));
  yield stepLine({
    ...checking,
    ...(metadata !== null && { detail: leftBehind(metadata, versions, caller.now()) }),
  });
  return copy.written.at(-1);
}

/**
 * Writes the first version, and the settings. Only the check-and-set of versions is reliable: servers overwrite settings
 * and custom metadata, and may ignore check-and-set for them.
 */
async function begin(copy: Copy, data: string, lines: TransferStep[]): Promise<void> {
  const { caller, secret } = copy;
  const { to, metadata } = secret;
  await doStep({ action: 'write', place: to, version: 1 }, async () => {
    const there = await orDenied(readMetadata(caller, to));
    if (there !== null && there !== 'denied') throw createdMeanwhile(caller);
  });
  const hasSettings = metadata !== null && !isBare(metadata);
  if (hasSettings && settingsFirst(metadata)) lines.push(await setOn(copy, metadata));
  lines.push(await writeNext(copy, data));
  if (hasSettings && !settingsFirst(metadata)) lines.push(await setOn(copy, metadata));
}

async function setOn(copy: Copy, source: KeyMetadata): Promise<TransferStep> {
  const { caller, secret, sequence } = copy;
  const { to } = secret;
  const words = { action: 'settings', place: to } as const;
  const { max_versions, cas_required, delete_version_after, custom_metadata } = source;
  const settings = {
    max_versions,
    cas_required,
    delete_version_after,
    custom_metadata,
    ...(source.metadata_cas_required === true && { metadata_cas_required: true }),
  };
  const isSet = await doStep(words, async () => {
    const now = await orDenied(readMetadata(caller, to));
    if (now === 'denied') {
      // They may be someone else's.
      if (!copy.isMove) return false;
      throw new ProblemError(
        'forbidden',
        "Your policies don't let you read the settings and custom metadata at the new path, so they can't be moved.",
      );
    }
    const isOurs =
      copy.written.length === 0 ? now === null : now !== null && now.current_version === 1 && isBare(now);
    if (!isOurs) throw createdMeanwhile(caller);
    copy.settings = source;
    await writeMetadata(caller, to, settings, now === null ? 0 : now.current_metadata_version);
    return true;
  });
  if (!isSet) {
    sequence.withoutSettings += 1;
    const detail =
      "The settings and custom metadata weren't copied: your policies don't let you read those at the new path, which may be someone else's.";
    return stepLine({ ...words, detail }, 'skipped');
  }
  await sequence.did(setSettings(to, Object.keys(settings)));
  return stepLine(words);
}

/** Writes the version after the last one of the copy. */
async function writeNext(copy: Copy, data: string): Promise<TransferStep> {
  const { caller, secret, sequence } = copy;
  const { to } = secret;
  const before = copy.written.length;
  const words = { action: 'write', place: to, version: before + 1 } as const;
  const done = await doStep(words, async () => {
    try {
      return await writeSurely(caller, to, data, before);
    } catch (error) {
      if (mayBeWritten(error)) copy.sent = data;
      throw error;
    }
  });
  copy.written.push(done);
  await sequence.did(wrote(to, before + 1, data));
  return stepLine(words);
}

function valuesOf({ caller, secret }: Copy, version: number): Promise<string> {
  const place = secret.from;
  return doStep({ action: 'read', place, version }, async () => {
    const read = await readVersion(caller, place, version);
    if (read?.text === undefined || read.text === null) {
      throw new ProblemError('conflict', 'This version was deleted after the transfer started.');
    }
    return read.text;
  });
}

/** Checks that the stored values are those that were read, and that the destination keeps that many versions. */
async function checkCopy(caller: SecretsCaller, to: Place, count: number, data: string): Promise<void> {
  const [stored, metadata] = await Promise.all([
    orDenied(readVersion(caller, to, count)),
    orDenied(readMetadata(caller, to)),
  ]);
  if (
    stored !== 'denied' &&
    (stored?.text === undefined || stored.text === null || !sameJson(stored.text, data))
  ) {
    throw new ProblemError('conflict', 'The stored values differ from the written ones.');
  }
  if (metadata === 'denied' || metadata === null) {
    // If fewer versions are kept, the oldest is missing.
    const oldest = count === 1 ? 'denied' : await orDenied(readVersion(caller, to, 1));
    if (oldest !== 'denied' && (oldest?.text ?? null) === null) {
      throw new ProblemError('invalid-request', `The destination engine keeps fewer than ${count} versions.`);
    }
    return;
  }
  const kept = Object.keys(metadata.versions).length;
  if (kept < count) {
    throw new ProblemError(
      'invalid-request',
      `The destination engine keeps only ${kept} versions, not ${count}.`,
    );
  }
}

function leftBehind({ versions }: KeyMetadata, taken: readonly number[], now: number): string {
  const deleted = Object.entries(versions).filter(
    ([version, state]) => !taken.includes(Number(version)) && stateOf(state, now) === 'deleted',
  );
  const others = Object.keys(versions).length - taken.length;
  const count = taken.length === 1 ? '1 version was copied' : `${taken.length} versions were copied`;
  if (others === 0) return `${count}.`;
  return deleted.length === 0
    ? `${count}, ${others} ${others === 1 ? 'was' : 'were'} not.`
    : `${count}, ${others} ${others === 1 ? 'was' : 'were'} not, of which ${deleted.length} could still be undeleted.`;
}

function createdMeanwhile({ transport: { environment, service } }: SecretsCaller): ProblemError {
  return new ProblemError(
    'conflict',
    'Someone else created or changed this secret during the transfer. Their settings, custom metadata and versions were left as they are.',
    { environment, service },
  );
}

/**
 * Deletes a copy, unless someone else created it or has changed it since. Only a version of the copy proves that a secret
 * is the copy; of a secret that may be someone else's, only the copied versions are deleted.
 */
async function removeCopy({
  caller,
  secret: { to: place },
  sequence: { did },
  written,
  sent,
  settings,
}: Copy): Promise<Awaited<ReturnType<Undo['run']>>> {
  if (written.length === 0 && sent === undefined && settings === undefined) return nothingWritten;
  const stored = await orDenied(readMetadata(caller, place));
  if (stored === null) return 'Nothing exists there, so there was nothing to undo.';
  const found = sent === undefined ? undefined : await holding(caller, place, written.length + 1, sent);
  const newest = found === 'denied' ? found : await newestOf(caller, place);
  if (found === 'denied' || newest === 'denied')
    throw new ProblemError(
      'conflict',
      "The copy can't be read, and someone else may have changed it, so it was left as it is.",
    );
  const ours = found === undefined ? written : [...written, found];
  const [first] = ours;
  if (first === undefined && settings === undefined) return nothingWritten;
  if (first === undefined)
    throw new ProblemError(
      'conflict',
      "No version was written, so the secret may be someone else's and was left as it is, although its settings and custom metadata may be those of the source.",
    );
  const last = ours.at(-1) ?? first;
  if (newest !== ours.length || !(await isWritten(caller, place, last))) throw changedSince();
  // A secret is as old as its first version, unless its settings were written before that.
  const isCopy =
    stored !== 'denied' &&
    (stored.created_time === first.created_time || (settings !== undefined && settingsFirst(settings)));
  if (!isCopy) {
    for (const version of ours) {
      if (!(await isWritten(caller, place, version))) continue;
      await changeVersions(caller, 'delete', place, [version.version]);
      await did(deletedVersion(place, version.version));
    }
    return {
      remains:
        "The secret may be someone else's, so only the copied versions were deleted. They can be undeleted.",
    };
  }
  if (!isBare(stored) && (settings === undefined || metadataRevision(stored) !== metadataRevision(settings)))
    throw changedSince();
  await removeSurely(caller, place, stored);
  await did(removed(place));
  return undefined;
}

function changedSince(): ProblemError {
  return new ProblemError('conflict', 'The copy was changed after it was written, so it was left as it is.');
}

/** @param known the metadata by which the deletion was decided */
export async function removeSurely(
  caller: SecretsCaller,
  place: Place,
  known: KeyMetadata | null,
): Promise<void> {
  try {
    await deleteMetadata(caller, place);
  } catch (error) {
    if (whatFailed(error) !== 'unknown') throw error;
    const now = await orDenied(readMetadata(caller, place));
    if (now === null) return;
    // Someone else may have created the secret again since.
    if (!isSame(now, known)) throw error;
    await deleteMetadata(caller, place);
  }
}

export function isSame(one: KeyMetadata | 'denied' | null, other: typeof one): boolean {
  return sameJson(JSON.stringify(one), JSON.stringify(other));
}
