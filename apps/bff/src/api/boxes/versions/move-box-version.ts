/** Releasing and revoking a version. */
import type { BoxVersion } from '@gatehouse/api-types/console/boxes';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { audited, type Operation, type WhatBecame } from '#operation/operation.ts';
import { outcome } from '#shared/boxes/became.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { versions } from '#shared/boxes/kinds.ts';
import { idOf, storedRecord } from '#shared/boxes/records.ts';
import { moveVersion } from '#upstreams/box-registry/boxes.ts';
import { isAnswer, ServiceError } from '#upstreams/service-error.ts';

const refusals = {
  release:
    "This version can't be released. It needs a provider with an address, or with an uploaded image that matches its checksum, and it must not be revoked.",
  revoke: 'Only a released version can be revoked.',
} as const;

const states = { release: 'active', revoke: 'revoked' } as const;

function move(how: 'release' | 'revoke'): Operation<'boxVersions.release' | 'boxVersions.revoke'> {
  return audited(
    { address: ({ params }) => ({ id: idOf(versions, params) }), became: isMoved(how) },
    async (context, call) => {
      const caller = await boxesCaller(context, call);
      return guardedWrite({
        ...storedRecord(versions, caller, call.params, call.note),
        // A release is final: it hands out providers that the person saw, and no others.
        ...(how === 'release' && { revisionOf: (stored: BoxVersion) => stored.whole_revision }),
        expected: call.revision,
        readFirst: true,
        equalsSent: ({ status }) => status === states[how],
        send: async () => {
          try {
            return await moveVersion(caller, call.params, how);
          } catch (error) {
            if (!isAnswer(error, 422)) throw error;
            const { environment, service } = caller.transport;
            throw new ServiceError(
              'invalid-request',
              refusals[how],
              { environment, service },
              { delivery: 'answered', status: 422 },
            );
          }
        },
      });
    },
  );
}

function isMoved(how: 'release' | 'revoke'): WhatBecame {
  return async (context, call, intent, { params: { username = '', name = '', version = '' } }) => {
    const found = await versions.read(await boxesCaller(context, call), { username, name, version });
    if (found === null) return { outcome: 'unknown' };
    return outcome(found.status === states[how] ? 'succeeded' : 'failed', intent, found);
  };
}

export const releaseBoxVersion: Operation<'boxVersions.release'> = move('release');
export const revokeBoxVersion: Operation<'boxVersions.revoke'> = move('revoke');
