/** A secret in the console's format, from its values if the user may read them, else from field names or metadata. */
import { isStoredAs, sameJson, structureOf } from '@gatehouse/api-types/console/json-text';
import type { SecretVersion, ToldVersion, VersionState } from '@gatehouse/api-types/console/secrets';
import type { VersionMetadata } from '@gatehouse/api-types/services/secrets-server';
import type { FailedWrite, Resource } from '#conflict/guarded-write.ts';
import { inTurn } from '#conflict/in-turn.ts';
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

/** A version's state. @param now milliseconds since the epoch */
export function stateOf(
  { deletion_time, destroyed }: { readonly deletion_time: string; readonly destroyed: boolean },
  now: number,
): VersionState {
  if (destroyed) return 'destroyed';
  if (deletion_time === '') return 'readable';
  return Date.parse(deletion_time) > now ? 'scheduled' : 'deleted';
}

/** Whether a version in this state is deleted or destroyed. */
export function isGone({ state }: { readonly state: VersionState }): boolean {
  return state === 'deleted' || state === 'destroyed';
}

/** Whether a version in this state has values to read. */
export function isReadable(state: VersionState): boolean {
  return state === 'readable' || state === 'scheduled';
}

/** The state of a version that was read. A version without values is deleted, whatever the clocks say. */
export function readState({ metadata, text }: ReadVersion): VersionState {
  if (metadata.destroyed) return 'destroyed';
  if (text === null) return 'deleted';
  return metadata.deletion_time === '' ? 'readable' : 'scheduled';
}

/** A secret in problems and in the audit trail. */
export function secretResource(caller: SecretsCaller, place: Place, kind = 'secret'): Resource {
  const { environment, service } = caller.transport;
  return { environment, service, kind, id: idOf(place) };
}

/** Runs work on a secret while the console does nothing else to it. */
export function atSecret<Result>(
  caller: SecretsCaller,
  place: Place,
  work: () => Promise<Result>,
): Promise<Result> {
  return inTurn(secretResource(caller, place), work);
}

/** The fields of an answer about a version. */
export function versionFields(
  { mount, path }: Place,
  { version, created_time, deletion_time, custom_metadata }: VersionMetadata,
  state: VersionState,
) {
  return { mount, path, version, state, created_time, deletion_time, custom_metadata };
}

/** A version with its values. @param newest the newest version's number, if it is another one */
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

/** A version as answers show it, with the values, which stay in the console; null if the user may not read them. */
export interface KnownVersion extends ToldVersion {
  readonly data: string | null;
}

/**
 * The newest version, with its values if the user may read them; version 0 if the secret has only metadata.
 * @returns null if the secret doesn't exist
 * @throws ServiceError `forbidden` if the user may read none of it
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

/** A version from its field names. @param newest the newest version's number, if it is another one */
export function toldVersionOf(place: Place, names: ReadVersion, newest?: number): ToldVersion {
  const { data: structure, ...fields } = secretVersionOf(place, names, newest);
  return { ...fields, structure };
}

/**
 * The newest version without its values. A read decides whether it is deleted, because with metadata that would depend
 * on the clocks of two machines.
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
    // The server's own refusal gives the reason.
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

/** The names of a version's fields, from subkeys or values; `denied` if the user may read neither. */
export async function readNames(
  caller: SecretsCaller,
  place: Place,
  version?: number,
): Promise<ReadVersion | null | 'denied'> {
  const subkeys = await orDenied(readSubkeys(caller, place, version));
  if (subkeys !== 'denied' && subkeys !== null) return subkeys;
  // A server without subkeys answers as if nothing existed.
  const structure = await orDenied(readStructure(caller, place, version));
  if (structure !== 'denied') return structure;
  // Without versions there is no other way, so nothing is known about the secret.
  return (await isPlain(caller, place.mount)) ? 'denied' : subkeys;
}

/** Awaits a read; `denied` if it isn't allowed. */
export async function orDenied<Found>(read: Promise<Found>): Promise<Found | 'denied'> {
  try {
    return await read;
  } catch (error) {
    if (isAnswer(error, 403) && error.code === 'forbidden') return 'denied';
    throw error;
  }
}

/** Like `orDenied`, but a name that can't be in a URL or that the server refuses doesn't fail the whole list. */
export async function orRefused<Found>(read: Promise<Found>): Promise<Found | 'denied' | 'refused'> {
  try {
    return await orDenied(read);
  } catch (error) {
    if (error instanceof SegmentRefused || isAnswer(error, 400)) return 'refused';
    throw error;
  }
}

/** A server answers a stale check-and-set with 400. A gateway's 502 or 504 says nothing. */
export function whatFailed(error: unknown): FailedWrite {
  if (!(error instanceof ServiceError) || error.delivery === 'not-sent') return 'refused';
  if (error.code === 'conflict') return 'stale';
  if ([400, 404, 412, 500].includes(error.serviceStatus ?? 0)) return 'perhaps-stale';
  return error.delivery === 'unknown' ? 'unknown' : 'refused';
}

/**
 * Whether a version has the sent data: rounded by the server if the write may have been made, and else exactly, because
 * rounded numbers are someone else's then.
 */
export function hasData(data: string, sent: string, mayBeDone: boolean): boolean {
  return mayBeDone ? isStoredAs(data, sent) : sameJson(data, sent);
}

/** Whether the version after the seen one has the sent data, which shows that the write was made. */
export function holdsSent(
  seen: number,
  sent: string,
): (stored: Pick<SecretVersion, 'version' | 'data'>, mayBeDone: boolean) => boolean {
  return ({ version, data }, mayBeDone) =>
    version === seen + 1 && data !== null && hasData(data, sent, mayBeDone);
}

/**
 * The version number of a secret's revision; 0 for no version.
 * @throws ProblemError `invalid-request` if it isn't one
 */
export function versionOfRevision(revision: string): number {
  if (/^(?:0|[1-9]\d{0,9})$/.test(revision)) return Number(revision);
  throw new ProblemError('invalid-request', 'If-Match must be a revision number.');
}

/** The problem of a nonexistent secret or version. */
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
