import type { KeyMetadata } from '@gatehouse/api-types/services/secrets-server';
import { guardedDelete } from '#conflict/guarded-write.ts';
import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { secretResource, versionOfRevision, whatFailed } from '#shared/secrets/stored-secret.ts';
import { deleteMetadata, readMetadata } from '#upstreams/secrets-server/metadata.ts';

export const deleteSecretForever: Operation<'deleteSecretForever'> = async (context, call) => {
  const { mount, path } = call.params;
  const place = { mount, path };
  versionOfRevision(call.revision);
  const caller = await secretsCaller(context, call);
  await guardedDelete<KeyMetadata>({
    resource: secretResource(caller, place),
    expected: call.revision,
    read: () => readMetadata(caller, place),
    revisionOf: ({ current_version }) => String(current_version),
    changedAt: ({ updated_time }) => updated_time,
    failed: whatFailed,
    remove: () => deleteMetadata(caller, place),
  });
};
