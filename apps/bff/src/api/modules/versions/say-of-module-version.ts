/** Deprecating and revoking a version, and taking that back. */
import type { DeprecationFields } from '@gatehouse/api-types/console/modules';
import { guardedWrite } from '#conflict/guarded-write.ts';
import type { Context } from '#operation/context.ts';
import { audited, type Operation } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { said } from '#shared/modules/became.ts';
import { modulesCaller } from '#shared/modules/caller.ts';
import { isSaid } from '#shared/modules/is-said.ts';
import { storedVersion } from '#shared/modules/versions.ts';
import { deprecate, restore } from '#upstreams/module-registry/management.ts';
import type { VersionPlace } from '#upstreams/module-registry/resources.ts';

interface GuardedCall extends ServiceCall {
  readonly params: VersionPlace & { readonly environment: string };
  readonly revision: string;
}

async function say(context: Context, call: GuardedCall, wanted: DeprecationFields | null) {
  const caller = await modulesCaller(context, call);
  const { record, etag } = storedVersion(caller, call.params);
  return guardedWrite({
    ...record,
    expected: call.revision,
    readFirst: true,
    equalsSent: (stored) => isSaid(stored, wanted),
    send: () =>
      wanted === null ? restore(caller, call.params, etag()) : deprecate(caller, call.params, wanted, etag()),
  });
}

export const deprecateModuleVersion: Operation<'moduleVersions.deprecate'> = audited(
  { became: said },
  (context, call) => say(context, call, call.body),
);

export const restoreModuleVersion: Operation<'moduleVersions.restore'> = audited(
  { became: said },
  (context, call) => say(context, call, null),
);
