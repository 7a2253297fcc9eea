import { findLimit, type SearchLine, type RecycleBinLine } from '@gatehouse/api-types/console/secret-scans';
import { mapInOrder } from '#api/concurrently.ts';
import { resource, type Operation, compressed } from '#operation/operation.ts';
import { checkVersioned } from '#upstreams/secrets-server/check-engine.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readMetadata, listKeys } from '#upstreams/secrets-server/metadata.ts';
import { inSecrets, secretsCaller } from '../caller.ts';
import { folderItem, compareKeys } from '../folder-items.ts';
import { newScan, scanLines, type Scan } from '../scan.ts';
import { orRefused, stateOf } from '../stored-secret.ts';
import { inTreeOrder, walkFolders, type WalkedFolder, secretsIn } from '../walk-folders.ts';
import { findValue } from './find-value.ts';

const usualPage = 1_000;

const listFolder: Operation<'secrets.listFolder'> = compressed(async (context, call) => {
  const { mount } = call.params;
  const { path: folder = '', after = '', page_size: size = usualPage } = call.query;
  const caller = await secretsCaller(context, call);
  // One more than a page shows whether another page follows.
  const told = await listKeys(
    caller,
    { mount, path: folder },
    {
      ...(after !== '' && { after }),
      limit: size + 1,
    },
  );
  // A server without paging returns all names, in its own order.
  const isAll = after === '' ? told.length !== size + 1 : told.length > size + 1;
  const keys = told.filter((key) => compareKeys(key, after) > 0).sort(compareKeys);
  const page = keys.slice(0, size);
  const last = page.at(-1);
  return {
    items: page.map((key) => folderItem(folder, key)),
    ...(keys.length > size && last !== undefined && { next_after: last }),
    total: isAll ? told.length : null,
  };
});

/** The number of secrets whose metadata is read concurrently. */
const atOnce = 8;

const scanRecycleBin: Operation<'secretScans.recycleBin'> = async (context, call) => {
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

const searchSecrets: Operation<'secretScans.search'> = async (context, call) => {
  const { folder = '', text, limit = findLimit } = call.query;
  const caller = await secretsCaller(context, call);
  const words = text.toLowerCase().split(/\s+/u);
  const scan = newScan();
  const folders = walkFolders(caller, call.params.mount, folder, scan);
  return scanLines(inTreeOrder(folders), scan, context.clock, (walked) =>
    matches(walked, words, limit, scan),
  );
};

export const secretFolderOperations = resource(inSecrets, {
  'secrets.listFolder': listFolder,
  'secretScans.search': searchSecrets,
  'secretScans.recycleBin': scanRecycleBin,
  'secretScans.findValue': findValue,
});

async function* matches(
  { folder, keys }: WalkedFolder,
  words: readonly string[],
  limit: number,
  scan: Scan,
): AsyncGenerator<Extract<SearchLine, { kind: 'match' }>> {
  for (const key of keys ?? []) {
    const item = folderItem(folder, key);
    if (!item.folder) scan.secrets += 1;
    const path = item.path.toLowerCase();
    if (!words.every((word) => path.includes(word))) continue;
    if (scan.found === limit) {
      scan.limited = true;
      return;
    }
    scan.found += 1;
    yield { kind: 'match', ...item };
  }
}

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
