/** A secret as the console sees it: out of values where they may be read, else out of names or of metadata. */
import { isStoredAs, structureOf } from '@gatehouse/api-types/console/json-text';
import type { SecretVersion, ToldVersion, VersionState } from '@gatehouse/api-types/console/secrets';
import type { VersionMetadata } from '@gatehouse/api-types/services/secrets-server';
import type { FailedWrite, Resource } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { SegmentRefused } from '#upstreams/path.ts';
import { isPlain } from '#upstreams/secrets-server/check-engine.ts';
import { isAnswer, type SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readMetadata } from '#upstreams/secrets-server/metadata.ts';
import { idOf, type Place } from '#upstreams/secrets-server/place.ts';
import {
  readStructure,
  readSubkeys,
  readVersion,
  type ReadVersion,
} from '#upstreams/secrets-server/versions.ts';
import { ServiceError } from '#upstreams/service-error.ts';

/** The state of a version. @param now milliseconds since the epoch */
export function stateOf(
  { deletion_time, destroyed }: { readonly deletion_time: string; readonly destroyed: boolean },
  now: number,
): VersionState {
  if (destroyed) return 'destroyed';
  if (deletion_time === '') return 'readable';
  return Date.parse(deletion_time) > now ? 'scheduled' : 'deleted';
}

/** Whether a version in this state is gone, for good or until it is brought back. */
export function isGone({ state }: { readonly state: VersionState }): boolean {
  return state === 'deleted' || state === 'destroyed';
}

/** Whether a version in this state has values to read. */
export function isReadable(state: VersionState): boolean {
  return state === 'readable' || state === 'scheduled';
}

/** A version as it was read: one that came with 404 is deleted, whatever the clocks say. */
export function readState({ metadata, text }: ReadVersion): VersionState {
  if (metadata.destroyed) return 'destroyed';
  if (text === null) return 'deleted';
  return metadata.deletion_time === '' ? 'readable' : 'scheduled';
}

/** What a secret is called in problems and in the audit trail. */
export function secretResource(caller: SecretsCaller, place: Place, kind = 'secret'): Resource {
  const { environment, service } = caller.transport;
  return { environment, service, kind, id: idOf(place) };
}

/** The fields of an answer that tell of a version. */
export function versionFields(
  { mount, path }: Place,
  { version, created_time, deletion_time, custom_metadata }: VersionMetadata,
  state: VersionState,
) {
  return { mount, path, version, state, created_time, deletion_time, custom_metadata };
}

/** One version with its values. @param newest the newest version's number, where it is another */
export function secretVersionOf(
  place: Place,
  read: ReadVersion,
  newest = read.metadata.version,
): SecretVersion {
  return {
    ...versionFields(place, read.metadata, readState(read)),
    revision: String(newest),
    data: read.text,
  };
}

/** A version with what is told of it, and what stays in the console: its values, where the person may read them. */
export interface KnownVersion extends ToldVersion {
  readonly data: string | null;
}

/**
 * The newest version, with its values where the person may read them; of a secret that has only metadata version 0.
 * @returns null when there is no such secret
 * @throws ServiceError `forbidden` where nothing of it may be read
 */
export async function readNewest(caller: SecretsCaller, place: Place): Promise<KnownVersion | null> {
  const read = await orDenied(readVersion(caller, place));
  if (read !== 'denied' && read !== null) {
    const structure = read.text === null ? null : structureOf(read.text);
    return { ...secretVersionOf(place, read), structure };
  }
  const told = await readNewestWithoutValues(caller, place);
  return told && { ...told, data: null };
}

/** A version whose names were read. @param newest the newest version's number, where it is another */
export function toldVersionOf(place: Place, names: ReadVersion, newest?: number): ToldVersion {
  const { data: structure, ...fields } = secretVersionOf(place, names, newest);
  return { ...fields, structure };
}

/**
 * The same without its values. Whether it is deleted is asked of a read: of metadata it can only be reckoned by the clocks
 * of two machines.
 */
export async function readNewestWithoutValues(
  caller: SecretsCaller,
  place: Place,
): Promise<ToldVersion | null> {
  const names = await readNames(caller, place);
  if (names !== 'denied' && names !== null) return toldVersionOf(place, names);
  const metadata = (await isPlain(caller, place.mount))
    ? 'denied'
    : await orDenied(readMetadata(caller, place));
  if (metadata === 'denied') {
    if (names === null) return null;
    // The server's own refusal says why.
    const read = await readVersion(caller, place);
    return read === null ? null : { ...toldVersionOf(place, read), structure: null };
  }
  if (metadata === null) return null;
  const { current_version: version, custom_metadata, created_time } = metadata;
  const newest = metadata.versions[String(version)] ?? {
    created_time,
    deletion_time: '',
    destroyed: false,
  };
  const described = { version, custom_metadata, ...newest };
  return {
    ...versionFields(place, described, stateOf(described, caller.now())),
    revision: String(version),
    structure: null,
  };
}

/** The names of a version's fields, by whichever way the person may know them; `denied` where there is none. */
export async function readNames(
  caller: SecretsCaller,
  place: Place,
  version?: number,
): Promise<ReadVersion | null | 'denied'> {
  const subkeys = await orDenied(readSubkeys(caller, place, version));
  if (subkeys !== 'denied' && subkeys !== null) return subkeys;
  // A server without that operation answers as if there were nothing.
  const structure = await orDenied(readStructure(caller, place, version));
  if (structure !== 'denied') return structure;
  // Without versions there is no other way, so nothing is known of the secret.
  return (await isPlain(caller, place.mount)) ? 'denied' : subkeys;
}

/** What a read found, or that it is not allowed. */
export async function orDenied<Found>(read: Promise<Found>): Promise<Found | 'denied'> {
  try {
    return await read;
  } catch (error) {
    if (isAnswer(error, 403) && error.code === 'forbidden') return 'denied';
    throw error;
  }
}

/** The same of one name among many: one that no address can hold, or that the server refuses in one, stops no others. */
export async function orRefused<Found>(read: Promise<Found>): Promise<Found | 'denied' | 'refused'> {
  try {
    return await orDenied(read);
  } catch (error) {
    if (error instanceof SegmentRefused || isAnswer(error, 400)) return 'refused';
    throw error;
  }
}

/** A server answers a stale check-and-set with 400; a gateway's 502 or 504 says nothing of what was done. */
export function whatFailed(error: unknown): FailedWrite {
  if (!(error instanceof ServiceError) || error.delivery === 'not-sent') return 'refused';
  if (error.code === 'conflict') return 'stale';
  if ([400, 404, 412, 500].includes(error.serviceStatus ?? 0)) return 'perhaps-stale';
  return error.delivery === 'unknown' ? 'unknown' : 'refused';
}

/** Whether the version after the one that was seen holds what was sent: then the write was done. */
export function holdsSent(
  seen: number,
  sent: string,
): (stored: Pick<SecretVersion, 'version' | 'data'>) => boolean {
  return ({ version, data }) => version === seen + 1 && data !== null && isStoredAs(data, sent);
}

/**
 * The version that a secret's revision stands for; 0 where it has none.
 * @throws ProblemError `invalid-request` for another revision
 */
export function versionOfRevision(revision: string): number {
  if (/^(?:0|[1-9]\d{0,9})$/.test(revision)) return Number(revision);
  throw new ProblemError('invalid-request', 'If-Match must be a revision number.');
}

/** The problem of a secret, or of a version, that does not exist. */
export function notThere(
  { transport: { environment, service } }: SecretsCaller,
  version?: number,
): ProblemError {
  return new ProblemError(
    'not-found',
    version === undefined
      ? 'No secret exists at this path.'
      : `This secret has no version ${version}: it was never written, or has been removed.`,
    { environment, service },
  );
}
