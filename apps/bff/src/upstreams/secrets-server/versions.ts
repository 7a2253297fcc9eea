/** Reads, writes and deletes versions of secrets. Values stay JSON text throughout. */
import { structureOf, valueAt } from '@gatehouse/api-types/console/json-text';
import { dataValuesLimit } from '@gatehouse/api-types/console/secret-names';
import {
  versionRead,
  versionWritten,
  type VersionMetadata,
} from '@gatehouse/api-types/services/secrets-server';
import * as z from 'zod/mini';
import type { ServiceAnswer } from '../transport.ts';
import { isPlain, writeTo } from './check-engine.ts';
import type { SecretsCaller } from './client.ts';
import { placePath, plainPath, type Place } from './place.ts';

/** A version that was read; `text` is null if it is deleted or destroyed. */
export interface ReadVersion {
  readonly metadata: VersionMetadata;
  /** JSON text of the data, or of the structure. */
  readonly text: string | null;
}

/**
 * @param version default: the newest
 * @returns null if the version doesn't exist
 * @throws ServiceError `forbidden` and others
 */
export async function readVersion(
  caller: SecretsCaller,
  place: Place,
  version?: number,
): Promise<ReadVersion | null> {
  if (await isPlain(caller, place.mount)) return readPlain(caller, place, version);
  return read(caller, placePath(caller, 'data', place, { version }), 'data');
}

/**
 * Reads the names of a version's fields, without values.
 * @returns null if the version doesn't exist
 * @throws ServiceError `forbidden`, and `not-found` if the server doesn't have the operation
 */
export async function readSubkeys(
  caller: SecretsCaller,
  place: Place,
  version?: number,
): Promise<ReadVersion | null> {
  if (await isPlain(caller, place.mount)) return null;
  return read(caller, placePath(caller, 'subkeys', place, { version }), 'subkeys');
}

/** Reads the structure from the values, for users who can read them. */
export async function readStructure(
  caller: SecretsCaller,
  place: Place,
  version?: number,
): Promise<ReadVersion | null> {
  const found = await readVersion(caller, place, version);
  return found === null || found.text === null ? found : { ...found, text: structureOf(found.text) };
}

const atMost = {
  // Besides the data, an answer has at most 64 custom metadata and some 30 other members.
  values: dataValuesLimit + 100,
  words: `This secret has more than ${dataValuesLimit.toLocaleString('en')} values, which is too many for the console. Read and change it with the command line.`,
};

async function read(
  caller: SecretsCaller,
  path: string,
  member: 'data' | 'subkeys',
): Promise<ReadVersion | null> {
  // The answer for a version without values is a 404 with metadata, and for a nonexistent one a plain 404.
  const answer = await caller.send({ method: 'GET', path, atMost }, 404);
  if (answer.status === 404 && !z.safeParse(versionRead, answer.body).success) return null;
  const { metadata } = (await caller.transport.parse(versionRead, answer)).data;
  return { metadata, text: answer.status === 404 ? null : memberOf(answer, member) };
}

/** The metadata of the only version of a secret in an engine without versions. */
const onlyVersion: VersionMetadata = {
  version: 1,
  created_time: '',
  deletion_time: '',
  destroyed: false,
  custom_metadata: {},
};

/** Reads a secret from an engine without versions, which returns the values directly in `data`. */
async function readPlain(
  caller: SecretsCaller,
  place: Place,
  version = onlyVersion.version,
): Promise<ReadVersion | null> {
  if (version !== onlyVersion.version) return null;
  const answer = await caller.send({ method: 'GET', path: plainPath(caller, place), atMost }, 404);
  return answer.status === 404 ? null : { metadata: onlyVersion, text: memberOf(answer) };
}

/** The exact JSON text of the answer's `data`, or of a member in it. */
function memberOf({ text: whole }: ServiceAnswer, member?: string): string | null {
  const text = valueAt(whole, member === undefined ? ['data'] : ['data', member]);
  return text === undefined || text === 'null' ? null : text;
}

/** Writes a version. @param cas the version that must be the newest; 0 if the secret must not exist */
export async function writeVersion(
  caller: SecretsCaller,
  place: Place,
  data: string,
  cas: number,
): Promise<VersionMetadata> {
  const answer = await writeTo(caller, place.mount, {
    method: 'POST',
    path: placePath(caller, 'data', place),
    text: `{"options":{"cas":${cas}},"data":${data}}`,
  });
  return (await caller.transport.parse(versionWritten, answer)).data;
}

/** Writes a version as a merge patch of the newest. @param cas the version that must be the newest; any if undefined */
export async function patchVersion(
  caller: SecretsCaller,
  place: Place,
  patch: string,
  cas?: number,
): Promise<VersionMetadata> {
  const answer = await writeTo(caller, place.mount, {
    method: 'PATCH',
    path: placePath(caller, 'data', place),
    contentType: 'application/merge-patch+json',
    text: cas === undefined ? `{"data":${patch}}` : `{"options":{"cas":${cas}},"data":${patch}}`,
  });
  return (await caller.transport.parse(versionWritten, answer)).data;
}

/** Deletes whichever version is the newest. */
export async function deleteNewest(caller: SecretsCaller, place: Place): Promise<void> {
  await writeTo(caller, place.mount, { method: 'DELETE', path: placePath(caller, 'data', place) });
}

/** Deletes, undeletes or destroys versions. Nonexistent versions are ignored. */
export async function changeVersions(
  caller: SecretsCaller,
  action: 'delete' | 'undelete' | 'destroy',
  place: Place,
  versions: readonly number[],
): Promise<void> {
  await writeTo(caller, place.mount, {
    method: action === 'destroy' ? 'PUT' : 'POST',
    path: placePath(caller, action, place),
    body: { versions },
  });
}
