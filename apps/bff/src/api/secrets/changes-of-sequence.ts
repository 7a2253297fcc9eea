/** What a sequence did to single secrets, in the audit trail: what each of them would be called if it were done alone. */
import { fieldPaths, namesIn } from '#audit/wish.ts';
import type { PartialChange } from '#ground/call.ts';
import { idOf, type Place } from '#upstreams/secrets-server/place.ts';

/** A version was written. @param version its number */
export function wrote(place: Place, version: number, data: string): PartialChange {
  return {
    action: version === 1 ? 'secret.create' : 'secret.update',
    id: idOf(place),
    paths: fieldPaths(namesIn(data)),
    revisionBefore: version === 1 ? null : String(version - 1),
    revisionAfter: String(version),
  };
}

/** The values of an older version were written as a new one. */
export function restored(place: Place, older: number, version: number): PartialChange {
  return {
    action: 'secret.restore',
    id: idOf(place),
    paths: [`version=${older}`],
    revisionBefore: String(version - 1),
    revisionAfter: String(version),
  };
}

/** A version was deleted, so that it can be brought back. */
export function deletedVersion(place: Place, version: number): PartialChange {
  return { ...changeOf(place), action: 'secret.delete-versions', paths: [`versions=${version}`] };
}

/** A secret was removed with all its versions. */
export function removed(place: Place): PartialChange {
  return { ...changeOf(place), action: 'secret.delete-forever' };
}

/** Settings and metadata of a secret were written. @param fields their names */
export function setSettings(place: Place, fields: readonly string[]): PartialChange {
  return { ...changeOf(place), action: 'secret-metadata.update', paths: fields };
}

function changeOf(place: Place) {
  return { id: idOf(place), paths: [], revisionBefore: null, revisionAfter: null };
}
