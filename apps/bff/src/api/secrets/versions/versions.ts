import type { VersionState } from '@gatehouse/api-types/console/secrets';
import type { KeyMetadata } from '@gatehouse/api-types/services/secrets-server';
import { conflict, outcomeUnknown } from '#conflict/guarded-write.ts';
import type { Context } from '#operation/context.ts';
import { resource, audited, type WhatBecame } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readMetadata } from '#upstreams/secrets-server/metadata.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import { changeVersions } from '#upstreams/secrets-server/versions.ts';
import { atPlace } from '../became.ts';
import { inSecrets, secretsCaller } from '../caller.ts';
import {
  atSecret,
  notThere,
  orDenied,
  readNewestWithoutValues,
  secretResource,
  stateOf,
  whatFailed,
} from '../stored-secret.ts';

/** Deletes, undeletes or destroys versions. Repeating the request has no further effect. */
const states: Readonly<Record<VersionAction, readonly VersionState[]>> = {
  delete: ['deleted', 'destroyed'],
  undelete: ['readable', 'scheduled', 'destroyed'],
  destroy: ['destroyed'],
};

type VersionAction = 'delete' | 'undelete' | 'destroy';

interface VersionsCall extends ServiceCall {
  readonly params: { readonly environment: string; readonly mount: string; readonly path: string };
  readonly body: {
    readonly versions: readonly number[];
    readonly created_times?: readonly string[] | undefined;
  };
}

export const secretVersionOperations = resource(inSecrets, {
  'secrets.deleteVersions': versionsOperation('delete'),
  'secrets.undeleteVersions': versionsOperation('undelete'),
  'secrets.destroyVersions': versionsOperation('destroy'),
});

/** The operation that does `action` to versions of a secret. */
function versionsOperation(action: VersionAction) {
  return audited(
    {
      // The versions' numbers, not names of fields.
      address: ({ body }) => ({ paths: [`versions=${body.versions.join(',')}`] }),
      became: haveState(states[action]),
    },
    async (context: Context, call: VersionsCall): Promise<void> => {
      const { mount, path } = call.params;
      const place = { mount, path };
      const caller = await secretsCaller(context, call);
      // The server accepts a nonexistent secret, which is a mistake of the user's.
      if ((await orDenied(readNewestWithoutValues(caller, place))) === null) throw notThere(caller);
      const resource = secretResource(caller, place);
      await atSecret(caller, place, async () => {
        await checkShown(caller, place, call.body);
        for (let attempt = 1; ; attempt++) {
          try {
            await changeVersions(caller, action, place, call.body.versions);
            return;
          } catch (error) {
            if (whatFailed(error) !== 'unknown') throw error;
            if (attempt > 1) throw outcomeUnknown({ resource }, error);
          }
        }
      });
    },
  );
}

/**
 * Compares versions with those that were shown, because the secret may have been deleted permanently and created again.
 * @throws ProblemError `conflict`
 */
async function checkShown(
  caller: SecretsCaller,
  place: Place,
  { versions, created_times: shown }: VersionsCall['body'],
): Promise<void> {
  const metadata = shown === undefined ? 'denied' : await orDenied(readMetadata(caller, place));
  // A user who can't read the metadata was shown none of it.
  if (metadata === 'denied') return;
  const isOther = versions.some((version, index) => {
    const time = metadata?.versions[String(version)]?.created_time;
    return (shown?.[index] ?? '') !== '' && time !== undefined && time !== shown?.[index];
  });
  if (!isOther && metadata !== null) return;
  throw await conflict<KeyMetadata>(
    {
      resource: secretResource(caller, place),
      expected: '',
      revisionOf: ({ current_version: version }) => String(version),
      changedAt: ({ updated_time: time }) => time,
      told: () => null,
    },
    metadata,
  );
}

/** Whether versions are in one of these states. */
function haveState(wanted: readonly VersionState[]): WhatBecame {
  return atPlace(async (caller, place, { body: { versions } }) => {
    const metadata = await readMetadata(caller, place);
    if (metadata === null || !Array.isArray(versions)) return { outcome: 'unknown' };
    // A pruned version says nothing.
    const found = versions.flatMap((version) => metadata.versions[String(version)] ?? []);
    if (found.length === 0) return { outcome: 'unknown' };
    const done = found.filter((version) => wanted.includes(stateOf(version, caller.now())));
    // Many versions are changed in several writes, so some may be done.
    if (done.length > 0 && done.length < found.length) return { outcome: 'unknown' };
    return { outcome: done.length > 0 ? 'succeeded' : 'failed' };
  });
}
