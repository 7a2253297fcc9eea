/** Versions of secrets: reading, writing, deleting. Values go through as text. */
import { structureOf, valueAt } from '@gatehouse/api-types/console/json-text';
import {
  versionRead,
  versionWritten,
  type VersionMetadata,
} from '@gatehouse/api-types/services/secrets-server';
import * as z from 'zod/mini';
import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer } from '../transport.ts';
import { checkVersioned, isPlain } from './check-engine.ts';
import type { SecretsCaller } from './client.ts';
import { placePath, plainPath, type Place } from './place.ts';

/** One version as it was read; `text` is null of one that is deleted or destroyed. */
export interface ReadVersion {
  readonly metadata: VersionMetadata;
  /** JSON text of the data, or of the structure. */
  readonly text: string | null;
}

/**
 * One version with its values. @param version the newest when absent
 * @returns null when there is no such version
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
 * The names of one version's fields, without values.
 * @returns null when there is no such version
 * @throws ServiceError `forbidden`, and `not-found` of a server that has no such operation
 */
export async function readSubkeys(
  caller: SecretsCaller,
  place: Place,
  version?: number,
): Promise<ReadVersion | null> {
  if (await isPlain(caller, place.mount)) return null;
  return read(caller, placePath(caller, 'subkeys', place, { version }), 'subkeys');
}

/** The same out of the values, for people who may read those. */
export async function readStructure(
  caller: SecretsCaller,
  place: Place,
  version?: number,
): Promise<ReadVersion | null> {
  const found = await readVersion(caller, place, version);
  return found === null || found.text === null ? found : { ...found, text: structureOf(found.text) };
}

async function read(
  caller: SecretsCaller,
  path: string,
  member: 'data' | 'subkeys',
): Promise<ReadVersion | null> {
  // A version without values is told with 404 and its metadata; one that is not there with 404 alone.
  const answer = await caller.send({ method: 'GET', path }, 404);
  if (answer.status === 404 && !z.safeParse(versionRead, answer.body).success) return null;
  const { metadata } = caller.transport.parse(versionRead, answer).data;
  return { metadata, text: answer.status === 404 ? null : memberOf(caller, answer, member) };
}

/** What stands for the version of a secret whose engine keeps none: the only one that there is. */
const onlyVersion: VersionMetadata = {
  version: 1,
  created_time: '',
  deletion_time: '',
  destroyed: false,
  custom_metadata: {},
};

/** A secret of an engine that keeps no versions: its values are the answer's `data`. */
async function readPlain(
  caller: SecretsCaller,
  place: Place,
  version = onlyVersion.version,
): Promise<ReadVersion | null> {
  if (version !== onlyVersion.version) return null;
  const answer = await caller.send({ method: 'GET', path: plainPath(caller, place) }, 404);
  return answer.status === 404 ? null : { metadata: onlyVersion, text: memberOf(caller, answer) };
}

/** Cuts `data` out of the answer, or a member of it. */
function memberOf(caller: SecretsCaller, answer: ServiceAnswer, member?: string): string | null {
  const { environment, service } = caller.transport;
  let text: string | undefined;
  try {
    text = valueAt(answer.text, member === undefined ? ['data'] : ['data', member]);
  } catch (cause) {
    throw new ServiceError(
      'bad-answer',
      "The secret can't be shown: it is nested too deeply.",
      // The error of the parser names a place, never a value.
      { environment, service, cause },
      { delivery: 'answered', status: answer.status },
    );
  }
  return text === undefined || text === 'null' ? null : text;
}

/** Writes a version. @param cas the newest version that it must follow on; 0 where there must be none */
export async function writeVersion(
  caller: SecretsCaller,
  place: Place,
  data: string,
  cas: number,
): Promise<VersionMetadata> {
  await checkVersioned(caller, place.mount);
  const answer = await caller.send({
    method: 'POST',
    path: placePath(caller, 'data', place),
    text: `{"options":{"cas":${cas}},"data":${data}}`,
  });
  return caller.transport.parse(versionWritten, answer).data;
}

/** Writes a version by a merge patch of the newest. @param cas the newest version; without it, whichever it is then */
export async function patchVersion(
  caller: SecretsCaller,
  place: Place,
  patch: string,
  cas?: number,
): Promise<VersionMetadata> {
  await checkVersioned(caller, place.mount);
  const answer = await caller.send({
    method: 'PATCH',
    path: placePath(caller, 'data', place),
    contentType: 'application/merge-patch+json',
    text: cas === undefined ? `{"data":${patch}}` : `{"options":{"cas":${cas}},"data":${patch}}`,
  });
  return caller.transport.parse(versionWritten, answer).data;
}

/** Deletes the newest version, whichever it is then. */
export async function deleteNewest(caller: SecretsCaller, place: Place): Promise<void> {
  await checkVersioned(caller, place.mount);
  await caller.send({ method: 'DELETE', path: placePath(caller, 'data', place) });
}

/** Deletes, brings back or destroys versions. Those that are not there are passed over. */
export async function changeVersions(
  caller: SecretsCaller,
  action: 'delete' | 'undelete' | 'destroy',
  place: Place,
  versions: readonly number[],
): Promise<void> {
  await checkVersioned(caller, place.mount);
  await caller.send({
    method: action === 'destroy' ? 'PUT' : 'POST',
    path: placePath(caller, action, place),
    body: { versions },
  });
}
