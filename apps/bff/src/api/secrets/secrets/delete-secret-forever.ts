import type { KeyMetadata } from '@gatehouse/api-types/services/secrets-server';
import type { Became } from '#audit/became.ts';
import { guardedDelete } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atPlace } from '#shared/secrets/became.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { metadataRevision } from '#shared/secrets/metadata.ts';
import { secretResource, versionOfRevision, whatFailed } from '#shared/secrets/stored-secret.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { deleteMetadata, readMetadata } from '#upstreams/secrets-server/metadata.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';

export const deleteSecretForever: Operation<'secrets.deleteForever'> = audited(
  { became: atPlace(isGone) },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const [version = '', metadata] = call.revision.split('@');
    versionOfRevision(version);
    const caller = await secretsCaller(context, call);
    await guardedDelete<KeyMetadata>({
      resource: secretResource(caller, place),
      expected: call.revision,
      read: () => readMetadata(caller, place),
      revisionOf: (stored) =>
        metadata === undefined
          ? String(stored.current_version)
          : `${stored.current_version}@${stored.updated_time}@${metadataRevision(stored)}`,
      changedAt: ({ updated_time }) => updated_time,
      failed: whatFailed,
      remove: () => deleteMetadata(caller, place),
    });
  },
);

async function isGone(caller: SecretsCaller, place: Place): Promise<Became> {
  return { outcome: (await readMetadata(caller, place)) === null ? 'succeeded' : 'failed' };
}
