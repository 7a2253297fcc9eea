/** The audit trail's entries for single secrets of a sequence, as if each change were made separately. */
import { fieldPaths, namesIn } from '#audit/wish.ts';
import type { PartialChange } from '#ground/call.ts';
import { idOf, type Place } from '#upstreams/secrets-server/place.ts';

/** A written version. @param version its number */
export function wrote(place: Place, version: number, data: string): PartialChange {
  return {
    action: version === 1 ? 'secret.create' : 'secret.update',
    id: idOf(place),
    paths: fieldPaths(namesIn(data)),
    revisionBefore: version === 1 ? null : String(version - 1),
    revisionAfter: String(version),
  };
}

/** An older version's values written as a new version. */
export function restored(place: Place, older: number, version: number): PartialChange {
  return {
    action: 'secret.restore',
    id: idOf(place),
    paths: [`version=${older}`],
    revisionBefore: String(version - 1),
    revisionAfter: String(version),
  };
}

/** A deleted version, which can be undeleted. */
export function deletedVersion(place: Place, version: number): PartialChange {
  return { ...changeOf(place), action: 'secret.delete-versions', paths: [`versions=${version}`] };
}

/** A secret deleted permanently with all its versions. */
export function removed(place: Place): PartialChange {
  return { ...changeOf(place), action: 'secret.delete-forever' };
}

/** Written settings and metadata of a secret. @param fields their names */
export function setSettings(place: Place, fields: readonly string[]): PartialChange {
  return { ...changeOf(place), action: 'secret-metadata.update', paths: fields };
}

function changeOf(place: Place) {
  return { id: idOf(place), paths: [] };
}
