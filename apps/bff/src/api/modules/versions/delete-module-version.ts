import { guardedDelete } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { deleted } from '#shared/modules/became.ts';
import { modulesCaller } from '#shared/modules/caller.ts';
import { storedVersion } from '#shared/modules/versions.ts';
import { deleteVersion } from '#upstreams/module-registry/management.ts';

export const deleteModuleVersion: Operation<'moduleVersions.delete'> = audited(
  { became: deleted },
  async (context, call) => {
    const caller = await modulesCaller(context, call);
    const { record, etag } = storedVersion(caller, call.params);
    await guardedDelete({
      ...record,
      expected: call.revision,
      remove: () => deleteVersion(caller, call.params, etag()),
    });
  },
);
