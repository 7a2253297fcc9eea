/** Deleting, bringing back and destroying of versions: doing it twice is the same as doing it once. */
import type { VersionState } from '@gatehouse/api-types/console/secrets';
import { outcomeUnknown } from '#conflict/guarded-write.ts';
import type { Context } from '#operation/context.ts';
import { audited, type WhatBecame } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { atPlace } from '#shared/secrets/became.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import {
  notThere,
  orDenied,
  readNewestWithoutValues,
  secretResource,
  stateOf,
  whatFailed,
} from '#shared/secrets/stored-secret.ts';
import { readMetadata } from '#upstreams/secrets-server/metadata.ts';
import { changeVersions } from '#upstreams/secrets-server/versions.ts';

const states: Readonly<Record<VersionAction, readonly VersionState[]>> = {
  delete: ['deleted', 'destroyed'],
  undelete: ['readable', 'scheduled', 'destroyed'],
  destroy: ['destroyed'],
};

type VersionAction = 'delete' | 'undelete' | 'destroy';

interface VersionsCall extends ServiceCall {
  readonly params: { readonly environment: string; readonly mount: string; readonly path: string };
  readonly body: { readonly versions: readonly number[] };
}

/** The operation that does `action` to versions of a secret. */
export function versionsOperation(action: VersionAction) {
  return audited(
    {
      // Which versions they are is no field that is set.
      address: ({ body }) => ({ paths: [`versions=${body.versions.join(',')}`] }),
      became: haveState(states[action]),
    },
    async (context: Context, call: VersionsCall): Promise<void> => {
      const { mount, path } = call.params;
      const place = { mount, path };
      const caller = await secretsCaller(context, call);
      // The server says yes to what does not exist; a person has mistaken something then.
      if ((await orDenied(readNewestWithoutValues(caller, place))) === null) throw notThere(caller);
      for (let attempt = 1; ; attempt++) {
        try {
          await changeVersions(caller, action, place, call.body.versions);
          return;
        } catch (error) {
          if (whatFailed(error) !== 'unknown') throw error;
          if (attempt > 1) throw outcomeUnknown({ resource: secretResource(caller, place) }, error);
        }
      }
    },
  );
}

/** Whether versions are in one of these states. */
function haveState(wanted: readonly VersionState[]): WhatBecame {
  return atPlace(async (caller, place, { body: { versions } }) => {
    const metadata = await readMetadata(caller, place);
    if (metadata === null || !Array.isArray(versions)) return { outcome: 'unknown' };
    // A version that was pruned meanwhile tells nothing.
    const found = versions.flatMap((version) => metadata.versions[String(version)] ?? []);
    if (found.length === 0) return { outcome: 'unknown' };
    const isDone = found.every((version) => wanted.includes(stateOf(version, caller.now())));
    return { outcome: isDone ? 'succeeded' : 'failed' };
  });
}
