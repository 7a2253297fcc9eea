import type { SecretMay } from '@gatehouse/api-types/console/secrets';
import { isPlain } from '#upstreams/secrets-server/check-engine.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readGrants } from '#upstreams/secrets-server/grants.ts';
import {
  folderPolicyPath,
  idOf,
  policyPath,
  type Area,
  type Place,
} from '#upstreams/secrets-server/place.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';

const areas: readonly Area[] = ['data', 'metadata', 'subkeys', 'delete', 'undelete', 'destroy'];

/** What the user may do with a secret; null if the server doesn't report it. */
export function capabilitiesOf(caller: SecretsCaller, place: Place): Promise<SecretMay | null> {
  return capabilities(caller, place, policyPath);
}

/**
 * What the user may do in a folder. Policies name its contents by its path with a trailing slash. If they don't allow
 * creating in the whole folder, they may still allow it for some names.
 */
export async function capabilitiesIn(caller: SecretsCaller, folder: Place): Promise<SecretMay | null> {
  const may = await capabilities(caller, folder, folderPolicyPath);
  if (may === null || may.create || (await isPlain(caller, folder.mount))) return may;
  const grants = await readGrants(caller);
  const start = folderPolicyPath('data', folder);
  return { ...may, create: grants?.some((path) => path.startsWith(start), 'create') ?? false };
}

async function capabilities(
  caller: SecretsCaller,
  place: Place,
  pathOf: (area: Area, place: Place) => string,
): Promise<SecretMay | null> {
  if (await isPlain(caller, place.mount)) return readingAlone(caller, place);
  // The server decides listing by the folder's path with a trailing slash.
  const folder = folderPolicyPath('metadata', place);
  const found = await readCapabilities(caller, [
    ...new Set([...areas.map((area) => pathOf(area, place)), policyPath('metadata', place), folder]),
  ]);
  if (found?.has(pathOf('data', place)) !== true) return null;
  const may = (area: Area, ...words: readonly string[]): boolean =>
    allows(found.get(pathOf(area, place)), ...words);
  const read = may('data', 'read');
  return {
    list: [folder, policyPath('metadata', place)].some((path) => allows(found.get(path), 'list')),
    read,
    read_structure: read || may('subkeys', 'read'),
    create: may('data', 'create'),
    update: may('data', 'update'),
    patch: may('data', 'patch'),
    delete: may('data', 'delete'),
    delete_versions: may('delete', 'update', 'create'),
    undelete: may('undelete', 'update', 'create'),
    destroy: may('destroy', 'update', 'create'),
    read_metadata: may('metadata', 'read'),
    write_metadata: may('metadata', 'update', 'create'),
    patch_metadata: may('metadata', 'patch'),
    delete_forever: may('metadata', 'delete'),
  };
}

/** The console only reads engines without versions. */
async function readingAlone(caller: SecretsCaller, place: Place): Promise<SecretMay | null> {
  const path = idOf(place);
  const found = await readCapabilities(caller, [path, `${path}/`]);
  if (found?.has(path) !== true) return null;
  const read = allows(found.get(path), 'read');
  return {
    list: allows(found.get(`${path}/`), 'list'),
    read,
    read_structure: read,
    create: false,
    update: false,
    patch: false,
    delete: false,
    delete_versions: false,
    undelete: false,
    destroy: false,
    read_metadata: false,
    write_metadata: false,
    patch_metadata: false,
    delete_forever: false,
  };
}
