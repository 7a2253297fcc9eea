/** What the server keeps about a secret beside its values, lists of names, and settings of engines. */
import type {
  SecretEngineFields,
  SecretMetadataChanges,
  SecretMetadataFields,
} from '@gatehouse/api-types/console/secret-metadata';
import {
  engineSettings,
  keyMetadata,
  keys,
  type EngineSettings,
  type KeyMetadata,
} from '@gatehouse/api-types/services/secrets-server';
import { checkVersioned } from './check-engine.ts';
import { isAnswer, type SecretsCaller } from './client.ts';
import { placePath, type Place } from './place.ts';

/** @returns null when there is no such secret @throws ServiceError */
export async function readMetadata(caller: SecretsCaller, place: Place): Promise<KeyMetadata | null> {
  try {
    const answer = await caller.send({ method: 'GET', path: placePath(caller, 'metadata', place) });
    return caller.transport.parse(keyMetadata, answer).data;
  } catch (error) {
    if (isAnswer(error, 404)) return null;
    throw error;
  }
}

/** Sets settings and custom metadata; makes the secret when there is none. */
export async function writeMetadata(
  caller: SecretsCaller,
  place: Place,
  fields: Partial<SecretMetadataFields>,
): Promise<void> {
  await checkVersioned(caller, place.mount);
  await caller.send({ method: 'POST', path: placePath(caller, 'metadata', place), body: fields });
}

/** Changes some of them, by a merge patch. */
export async function patchMetadata(
  caller: SecretsCaller,
  place: Place,
  changes: SecretMetadataChanges,
): Promise<void> {
  await checkVersioned(caller, place.mount);
  await caller.send({
    method: 'PATCH',
    path: placePath(caller, 'metadata', place),
    contentType: 'application/merge-patch+json',
    body: changes,
  });
}

/** Removes a secret with all its versions. */
export async function deleteMetadata(caller: SecretsCaller, place: Place): Promise<void> {
  await checkVersioned(caller, place.mount);
  await caller.send({ method: 'DELETE', path: placePath(caller, 'metadata', place) });
}

/** How a long list is asked for. A server that does not know pages answers all of it. */
export interface KeyPage {
  readonly after?: string;
  readonly limit?: number;
}

/**
 * The names in a folder as the server tells them: those of folders end with a slash.
 * @returns none where there is nothing
 */
export async function listKeys(
  caller: SecretsCaller,
  place: Place,
  page: KeyPage = {},
): Promise<readonly string[]> {
  try {
    const path = placePath(caller, 'metadata', place, { list: true, ...page });
    return caller.transport.parse(keys, await caller.send({ method: 'GET', path })).data.keys;
  } catch (error) {
    if (isAnswer(error, 404)) return [];
    throw error;
  }
}

/** Settings of the engine. @throws ServiceError `not-found` where there is none */
export async function readEngine(caller: SecretsCaller, mount: string): Promise<EngineSettings> {
  const path = placePath(caller, 'config', { mount, path: '' });
  return caller.transport.parse(engineSettings, await caller.send({ method: 'GET', path })).data;
}

export async function writeEngine(
  caller: SecretsCaller,
  mount: string,
  fields: SecretEngineFields,
): Promise<void> {
  await checkVersioned(caller, mount);
  const path = placePath(caller, 'config', { mount, path: '' });
  await caller.send({ method: 'POST', path, body: fields });
}
