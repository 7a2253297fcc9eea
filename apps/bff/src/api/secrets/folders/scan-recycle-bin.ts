import { findLimit, type RecycleBinLine } from '@gatehouse/api-types/console/secret-scans';
import type { Operation } from '#operation/operation.ts';
import { mapInOrder } from '#shared/concurrently.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { newScan, scanLines, type Scan } from '#shared/secrets/scan.ts';
import { orRefused, stateOf } from '#shared/secrets/stored-secret.ts';
import { secretsIn, walkFolders, type WalkedFolder } from '#shared/secrets/walk-folders.ts';
import { checkVersioned } from '#upstreams/secrets-server/check-engine.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readMetadata } from '#upstreams/secrets-server/metadata.ts';

/** Secrets whose metadata is read at a time. */
const atOnce = 8;

export const scanRecycleBin: Operation<'secretScans.recycleBin'> = async (context, call) => {
  const { mount } = call.params;
  const { folder = '', limit = findLimit, all_versions: allVersions = false } = call.query;
  const caller = await secretsCaller(context, call);
  await checkVersioned(caller, mount);
  const scan = newScan();
  const folders = walkFolders(caller, mount, folder, scan);
  return scanLines(folders, scan, context.clock, (walked) =>
    deletedIn(caller, mount, walked, { limit, allVersions }, scan),
  );
};

async function* deletedIn(
  caller: SecretsCaller,
  mount: string,
  walked: WalkedFolder,
  { limit, allVersions }: { readonly limit: number; readonly allVersions: boolean },
  scan: Scan,
): AsyncGenerator<Extract<RecycleBinLine, { kind: 'deleted' | 'denied' }>> {
  const read = async (path: string) =>
    [path, await orRefused(readMetadata(caller, { mount, path }))] as const;
  for await (const [path, metadata] of mapInOrder(secretsIn(walked), read, atOnce)) {
    scan.secrets += 1;
    if (typeof metadata === 'string') {
      scan.denied += 1;
      yield { kind: 'denied', path, folder: false };
      continue;
    }
    const versions = Object.entries(metadata?.versions ?? {})
      .filter(([, version]) => stateOf(version, caller.now()) === 'deleted')
      .map(([version, { created_time, deletion_time }]) => ({
        version: Number(version),
        created_time,
        deletion_time,
      }))
      .sort((a, b) => b.version - a.version);
    const newest = versions[0]?.version === metadata?.current_version;
    if (metadata === null || versions.length === 0 || (!newest && !allVersions)) continue;
    if (scan.found === limit) {
      scan.limited = true;
      return;
    }
    scan.found += 1;
    yield { kind: 'deleted', path, revision: String(metadata.current_version), newest, versions };
  }
}
