/** A secret's metadata, lists of names, and engine settings. */
import type {
  SecretRules,
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
import { ifThere } from '../service-error.ts';
import { engineAt, isPlain, notKeyValue, sendTo, writeTo } from './check-engine.ts';
import type { SecretsCaller } from './client.ts';
import { refusalTexts } from './errors.ts';
import { placePath, plainPath, type Place } from './place.ts';

/** @returns null if the secret doesn't exist @throws ServiceError */
export async function readMetadata(caller: SecretsCaller, place: Place): Promise<KeyMetadata | null> {
  // An engine without versions has no metadata, and would take the address for a secret's name.
  if (await isPlain(caller, place.mount)) return null;
  return ifThere(async () => {
    const answer = await caller.send({ method: 'GET', path: placePath(caller, 'metadata', place) });
    return (await caller.transport.parse(keyMetadata, answer)).data;
  });
}

/** The expected `current_metadata_version`, 0 for none; null if the server has no check-and-set for metadata. */
export type MetadataCas = number | null;

/** Sets settings and custom metadata. Creates the secret if it doesn't exist. */
export async function writeMetadata(
  caller: SecretsCaller,
  place: Place,
  fields: Partial<SecretMetadataFields> & { readonly metadata_cas_required?: boolean },
  cas: MetadataCas,
): Promise<void> {
  await writeTo(caller, place.mount, {
    method: 'POST',
    path: placePath(caller, 'metadata', place),
    body: withCas(fields, cas),
  });
}

/** Servers without check-and-set for metadata ignore the field. */
function withCas(fields: object, cas: MetadataCas): object {
  return cas === null ? fields : { ...fields, metadata_cas: cas };
}

/** Changes some settings or custom metadata with a merge patch. */
export async function patchMetadata(
  caller: SecretsCaller,
  place: Place,
  changes: SecretMetadataChanges,
  cas: MetadataCas,
): Promise<void> {
  await writeTo(caller, place.mount, {
    method: 'PATCH',
    path: placePath(caller, 'metadata', place),
    contentType: 'application/merge-patch+json',
    body: withCas(changes, cas),
  });
}

/** Deletes a secret permanently, with all its versions. */
export async function deleteMetadata(caller: SecretsCaller, place: Place): Promise<void> {
  await writeTo(caller, place.mount, { method: 'DELETE', path: placePath(caller, 'metadata', place) });
}

/** The page of a long list. A server without paging returns the whole list. */
export interface KeyPage {
  readonly after?: string;
  readonly limit?: number;
}

/**
 * The names in a folder; names of folders end with a slash.
 * @returns an empty list if nothing exists there
 * @throws ProblemError `invalid-request` if the engine holds no secrets; ServiceError `not-found` without an engine
 */
export async function listKeys(
  caller: SecretsCaller,
  place: Place,
  page: KeyPage = {},
): Promise<readonly string[]> {
  const engine = await engineAt(caller, place.mount);
  if (engine.kind === 'other') throw notKeyValue(caller, engine.type);
  const query = { list: true, ...page };
  const path =
    engine.kind === 'plain' ? plainPath(caller, place, query) : placePath(caller, 'metadata', place, query);
  const answer = await sendTo(caller, place.mount, { method: 'GET', path }, 404, 405);
  if (answer.status < 300) return (await caller.transport.parse(keys, answer)).data.keys;
  // Otherwise a 404 means an empty or nonexistent folder.
  if (answer.status === 404 && !/unsupported (?:path|operation)/.test(refusalTexts(answer))) return [];
  throw notKeyValue(caller);
}

/** The engine's settings. @throws ServiceError `not-found` if the engine doesn't exist */
export async function readEngine(caller: SecretsCaller, mount: string): Promise<EngineSettings> {
  const path = placePath(caller, 'config', { mount, path: '' });
  return (await caller.transport.parse(engineSettings, await sendTo(caller, mount, { method: 'GET', path })))
    .data;
}

export async function writeEngine(caller: SecretsCaller, mount: string, fields: SecretRules): Promise<void> {
  const path = placePath(caller, 'config', { mount, path: '' });
  await writeTo(caller, mount, { method: 'POST', path, body: fields });
}
