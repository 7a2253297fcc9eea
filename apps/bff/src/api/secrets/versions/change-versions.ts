/** Deleting, bringing back and destroying of versions: doing it twice is the same as doing it once. */
import { outcomeUnknown } from '#conflict/guarded-write.ts';
import type { Context } from '#operation/context.ts';
import { secretsCaller, type SecretsCall } from '#shared/secrets/caller.ts';
import {
  orDenied,
  readNewestWithoutValues,
  secretResource,
  whatFailed,
} from '#shared/secrets/stored-secret.ts';
import { changeVersions } from '#upstreams/secrets-server/versions.ts';
import { notThere } from '../secrets/get-secret.ts';

interface VersionsCall extends SecretsCall {
  readonly params: { readonly environment: string; readonly mount: string; readonly path: string };
  readonly body: { readonly versions: readonly number[] };
}

/** The operation that does `action` to versions of a secret. */
export function versionsOperation(action: 'delete' | 'undelete' | 'destroy') {
  return async (context: Context, call: VersionsCall): Promise<void> => {
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
  };
}
