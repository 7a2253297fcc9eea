import type { Operation } from '#operation/operation.ts';
import { modulesCaller } from '#shared/modules/caller.ts';
import { locate } from '#upstreams/module-registry/modules.ts';

export const locateModuleVersion: Operation<'moduleVersions.locate'> = async (context, call) =>
  locate(await modulesCaller(context, call), call.params);
