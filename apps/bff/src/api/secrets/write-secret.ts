/** Writes versions at the revision that the user saw. */
import type { WrittenVersion } from '@gatehouse/api-types/console/secrets';
import type { VersionMetadata } from '@gatehouse/api-types/services/secrets-server';
import { Slices } from '@gatehouse/service-kit/slices';
import { conflict, guardedWrite, type GuardedWrite } from '#conflict/guarded-write.ts';
import type { AuditNote } from '#ground/call.ts';
import type { ProblemError } from '#ground/problem.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import { readVersion, type ReadVersion } from '#upstreams/secrets-server/versions.ts';
import { differences } from './differences.ts';
import {
  isGone,
  orDenied,
  readNewestWithoutValues,
  readNames,
  readNewest,
  readState,
  secretResource,
  toldVersionOf,
  versionFields,
  whatFailed,
  type KnownVersion,
} from './stored-secret.ts';

interface SeenVersion {
  readonly caller: SecretsCaller;
  readonly place: Place;
  /** The newest version that the user saw; 0 for none. */
  readonly seen: number;
}

/** One write of a version. */
interface VersionWrite extends SeenVersion {
  readonly send: () => Promise<VersionMetadata>;
  /** Whether a stored version has what was sent. */
  readonly equalsSent: GuardedWrite<KnownVersion>['equalsSent'];
}

/**
 * Writes a version if the one that the user saw is still the newest. A conflict shows the field names of both versions,
 * because the page gets values only through a recorded reveal.
 * @throws ProblemError `conflict`, `outcome-unknown`, and the errors of sending
 */
export async function writeGuarded(write: VersionWrite): Promise<WrittenVersion> {
  const { caller, place, seen } = write;
  const stored = await guardedWrite<KnownVersion>({
    resource: secretResource(caller, place),
    expected: String(seen),
    creates: seen === 0,
    readFirst: false,
    read: async () => {
      const newest = await readNewest(caller, place);
      // A first version is written over a nonexistent secret.
      return newest ?? (seen === 0 ? nothing(place) : null);
    },
    revisionOf: ({ revision }) => revision,
    changedAt: ({ created_time }) => created_time,
    base: async () => {
      const names = seen === 0 ? null : await readNames(caller, place, seen);
      return names === null || names === 'denied' || names.text === null
        ? null
        : { ...toldVersionOf(place, names, seen), data: null };
    },
    told: ({ data: _data, ...told }) => told,
    failed: whatFailed,
    send: async () => {
      return { ...writtenAs(place, await write.send()), structure: null, data: null };
    },
    equalsSent: write.equalsSent,
  });
  const { data: _data, structure: _structure, ...written } = stored;
  return { ...written, state: written.deletion_time === '' ? 'readable' : 'scheduled' };
}

/** The answer about a written version. */
export function writtenAs(place: Place, metadata: VersionMetadata): WrittenVersion {
  return {
    ...versionFields(place, metadata, metadata.deletion_time === '' ? 'readable' : 'scheduled'),
    revision: String(metadata.version),
  };
}

function deletedMeanwhile({ caller, place, seen }: SeenVersion): Promise<ProblemError> {
  const resource = secretResource(caller, place);
  return conflict<KnownVersion>(
    { resource, expected: String(seen), revisionOf: ({ revision }) => revision },
    null,
  );
}

function nothing({ mount, path }: Place): KnownVersion {
  return {
    mount,
    path,
    revision: '0',
    version: 0,
    state: 'readable',
    created_time: '',
    deletion_time: '',
    custom_metadata: {},
    structure: null,
    data: null,
  };
}

/** A version's data; null if it can't be read. */
export async function dataOf(
  caller: SecretsCaller,
  place: Place,
  version: number,
): Promise<ReadVersion['text']> {
  return (await readVersion(caller, place, version))?.text ?? null;
}

/**
 * The data of the version that the user saw, read once for everything that a write needs it for. Read before the write,
 * because the server may keep only the newest version.
 * @param isReadable whether that version could be read: the server's own check doesn't notice a deletion, which keeps
 *   the number
 * @returns null if it can't be read; the write itself reports why
 * @throws ProblemError `conflict` if the version could be read and the newest one is deleted
 */
export async function readSeen(of: SeenVersion, isReadable: boolean): Promise<ReadVersion['text']> {
  const { caller, place, seen } = of;
  const read = await readVersion(caller, place, isReadable ? undefined : seen).catch(() => null);
  if (isReadable) {
    const newest =
      read === null ? await orDenied(readNewestWithoutValues(caller, place)) : { state: readState(read) };
    if (newest !== null && newest !== 'denied' && isGone(newest)) throw await deletedMeanwhile(of);
  }
  return read?.metadata.version === seen ? read.text : null;
}

/** Longest data that is compared for the trail, so that a write of megabytes delays others no longer than it must. */
const comparedCharacters = 256 * 1024;

/**
 * Notes which fields a write added, changed and removed.
 * @param before the data before; null if the caller can't read it. If so, or if it is long, the entry keeps the written
 *   fields.
 */
export async function noteChanges(
  { note, slices }: { readonly note: AuditNote; readonly slices: Slices },
  before: string | null,
  after: (before: string) => string,
): Promise<void> {
  if (before === null || before.length > comparedCharacters) return;
  // The write is done, so that it is noted when the user has left too.
  const goesOn = new Slices(() => false, slices.asker);
  const { removed, changed, added } = await differences(before, after(before), goesOn);
  // An entry keeps the first names, and only the removed ones can't be read later.
  const paths = Object.entries({ removed, changed, added }).flatMap(([what, names]) =>
    names.map((name) => `${what}=data.${name}`),
  );
  note.changed(paths.length === 0 ? ['unchanged=data'] : paths);
}
