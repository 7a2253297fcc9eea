import type { SecretMay } from '@gatehouse/api-types/console/secrets';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { policyPath, type Area, type Place } from '#upstreams/secrets-server/place.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';

const areas: readonly Area[] = ['data', 'metadata', 'subkeys', 'delete', 'undelete', 'destroy'];

/** What the person may do with a path; null where the server does not tell. */
export async function capabilitiesOf(caller: SecretsCaller, place: Place): Promise<SecretMay | null> {
  // Listing is decided for the folder's path with a slash at its end.
  const folder = `${policyPath('metadata', place)}/`;
  const found = await readCapabilities(caller, [...areas.map((area) => policyPath(area, place)), folder]);
  if (found === null) return null;
  const may = (area: Area, ...words: readonly string[]): boolean =>
    allows(found.get(policyPath(area, place)), ...words);
  const read = may('data', 'read');
  return {
    list: allows(found.get(folder), 'list') || may('metadata', 'list'),
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
