import { keptVersions } from '@gatehouse/api-types/console/harm-of';
import type { KeyMetadata } from '@gatehouse/api-types/services/secrets-server';
import type { Became } from '#audit/became.ts';
import { guardedDelete } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { deleteMetadata, readMetadata } from '#upstreams/secrets-server/metadata.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import { atPlace } from '../became.ts';
import { secretsCaller } from '../caller.ts';
import { keptByEngine } from '../engine.ts';
import { metadataRevision } from '../metadata.ts';
import { secretResource, versionOfRevision, whatFailed } from '../stored-secret.ts';

export const deleteSecretForever: Operation<'secrets.deleteForever'> = audited(
  { became: atPlace(isGone) },
  async (context, call) => {
    const { mount, path } = call.params;
    const place = { mount, path };
    const [version = '', ...shown] = call.revision.split('@');
    versionOfRevision(version);
    const caller = await secretsCaller(context, call);
    await guardedDelete<KeyMetadata>({
      resource: secretResource(caller, place),
      expected: call.revision,
      read: () => readMetadata(caller, place),
      // Only parts that were shown are compared.
      revisionOf: (stored) =>
        [
          stored.current_version,
          ...partsOf(stored)
            .slice(0, shown.length)
            .map((part, index) => (shown[index] === '' ? '' : part)),
        ].join('@'),
      changedAt: ({ updated_time }) => updated_time,
      failed: whatFailed,
      remove: () => deleteMetadata(caller, place),
    });
  },
);

/** The properties that identify a secret among others at its path, and its metadata's state. */
function partsOf(stored: KeyMetadata): readonly string[] {
  const newest = stored.versions[String(stored.current_version)];
  return [newest?.created_time ?? stored.created_time, stored.updated_time, metadataRevision(stored)];
}

/** A server deletes the oldest versions first, large ones in several writes, so a deletion can be done in part. */
async function isGone(caller: SecretsCaller, place: Place): Promise<Became> {
  const found = await readMetadata(caller, place);
  if (found === null) return { outcome: 'succeeded' };
  const engine = await keptByEngine(caller, place.mount);
  if (engine === null) return { outcome: 'unknown' };
  const keeps = keptVersions(found.max_versions, engine);
  const isWhole = Object.keys(found.versions).length >= Math.min(found.current_version, keeps);
  return { outcome: isWhole ? 'failed' : 'unknown' };
}
