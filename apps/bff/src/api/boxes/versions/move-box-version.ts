/** Releasing and revoking a version. */
import { audited, type Operation, type WhatBecame } from '#operation/operation.ts';
import { outcome } from '#shared/boxes/became.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { versions } from '#shared/boxes/kinds.ts';
import { moveStoredVersion, statusAfter } from '#shared/boxes/move-version.ts';
import { idOf } from '#shared/boxes/records.ts';

function move(how: 'release' | 'revoke'): Operation<'boxVersions.release' | 'boxVersions.revoke'> {
  return audited(
    { address: ({ params }) => ({ id: idOf(versions, params) }), became: isMoved(how) },
    async (context, call) =>
      (await moveStoredVersion(how, await boxesCaller(context, call), call.params, call)).version,
  );
}

function isMoved(how: 'release' | 'revoke'): WhatBecame {
  return async (context, call, intent, { params: { username = '', name = '', version = '' } }) => {
    const found = await versions.read(await boxesCaller(context, call), { username, name, version });
    if (found === null) return { outcome: 'unknown' };
    return outcome(found.status === statusAfter[how] ? 'succeeded' : 'failed', intent, found);
  };
}

export const releaseBoxVersion: Operation<'boxVersions.release'> = move('release');
export const revokeBoxVersion: Operation<'boxVersions.revoke'> = move('revoke');
