import type { RecordedCall } from '#audit/recording.ts';
import { pathsOf } from '#audit/wish.ts';
import { resource, audited, type Operation, type WhatBecame } from '#operation/operation.ts';
import { outcome } from '../became.ts';
import { inBoxes, boxesCaller } from '../caller.ts';
import { versions } from '../kinds.ts';
import { moveStoredVersion, statusAfter } from '../move-version.ts';
import { createRecord, deleteRecord, getRecord, updateRecord, idOf } from '../records.ts';

const releaseBoxVersion: Operation<'boxVersions.release'> = move('release');

const revokeBoxVersion: Operation<'boxVersions.revoke'> = move('revoke');

/** The version is in the record's ID, so the trail doesn't list it as a changed field. */
const address = ({ body }: RecordedCall) => ({ paths: pathsOf(body).filter((path) => path !== 'version') });

export const versionOperations = resource(
  { ...inBoxes, address },
  {
    'boxVersions.get': getRecord(versions),
    'boxVersions.create': createRecord(versions),
    'boxVersions.update': updateRecord(versions),
    'boxVersions.delete': deleteRecord(versions),
    'boxVersions.release': releaseBoxVersion,
    'boxVersions.revoke': revokeBoxVersion,
  },
);

/** Releases or revokes a version. */
function move(how: 'release' | 'revoke'): Operation<'boxVersions.release' | 'boxVersions.revoke'> {
  return audited(
    { address: ({ params }) => ({ id: idOf(versions, params) }), became: isMoved(how) },
    async (context, call) =>
      (await moveStoredVersion(how, await boxesCaller(context, call), call.params, call)).version,
  );
}

/** Whether a version was released or revoked. */
export function isMoved(how: 'release' | 'revoke'): WhatBecame {
  return async (context, call, intent, { params: { username = '', name = '', version = '' } }) => {
    const found = await versions.read(await boxesCaller(context, call), { username, name, version });
    if (found === null) return { outcome: 'unknown' };
    return outcome(found.status === statusAfter[how] ? 'succeeded' : 'failed', intent, found);
  };
}
