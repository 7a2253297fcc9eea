import { findLimit, type SearchLine } from '@gatehouse/api-types/console/secret-scans';
import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { folderItem } from '#shared/secrets/folder-items.ts';
import { newScan, scanLines, type Scan } from '#shared/secrets/scan.ts';
import { inTreeOrder, walkFolders, type WalkedFolder } from '#shared/secrets/walk-folders.ts';

export const searchSecrets: Operation<'secretScans.search'> = async (context, call) => {
  const { folder = '', text, limit = findLimit } = call.query;
  const caller = await secretsCaller(context, call);
  const words = text.toLowerCase().split(/\s+/u);
  const scan = newScan();
  const folders = walkFolders(caller, call.params.mount, folder, scan);
  return scanLines(inTreeOrder(folders), scan, context.clock, (walked) =>
    matches(walked, words, limit, scan),
  );
};

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
