/** What an import changes in each secret, and which secrets are selected. */
import type { FileEntry } from '@gatehouse/api-types/console/secret-files';
import type { NamedFields } from '@gatehouse/api-types/console/secret-names';
import type { ImportPreviewItem } from '@gatehouse/api-types/console/secret-transfers';
import type { Tone } from '@gatehouse/ui/tone';
import { counted } from '#lib/counted.ts';
import { folderOf } from '#lib/folder-of.ts';
import type { ImportEntries } from '#queries/secret-transfers.ts';

type Change = ImportPreviewItem['change'];

export const changeWords: Readonly<Record<Change, { word: string; tone: Tone | 'neutral' }>> = {
  create: { word: 'New', tone: 'ok' },
  change: { word: 'Changes', tone: 'info' },
  same: { word: 'Unchanged', tone: 'neutral' },
  deleted: { word: 'Currently deleted', tone: 'warn' },
  unreadable: { word: "Can't be compared", tone: 'warn' },
  denied: { word: 'Not allowed', tone: 'danger' },
};

/** Field names, and how many more exist. */
export function listed({ names, count }: NamedFields): string {
  const more = count - names.length;
  if (names.length === 0) return more === 0 ? '' : counted(more, 'field');
  return `${names.join(', ')}${more === 0 ? '' : ` and ${more.toLocaleString('en')} more`}`;
}

/** The import's effect on one secret, in a sentence. */
export function changeInWords({ change, revision, detail }: ImportPreviewItem): string {
  if (detail !== null) return detail;
  const next = revision === null ? '' : ` ${String(Number(revision) + 1)}`;
  switch (change) {
    case 'create':
      return 'A new secret will be created.';
    case 'change':
      return `Version${next} will be created.`;
    case 'same':
      return 'The values are the same. Only the version number would change.';
    case 'deleted':
      return `Its newest version is deleted. Version${next} will be created, so the secret can be read again.`;
    case 'unreadable':
      return "You can't read the existing secret. The file would replace it unseen.";
    case 'denied':
      return "Your policies don't let you write this secret.";
  }
}

/** Why it can't be imported; undefined if it can. */
export function reasonAgainstImporting(item: ImportPreviewItem): string | undefined {
  return item.change === 'denied' || item.revision === null ? changeInWords(item) : undefined;
}

/** The default selection: secrets that would change and can be compared. */
export function isTakenAtFirst(item: ImportPreviewItem): boolean {
  return reasonAgainstImporting(item) === undefined && item.change !== 'same' && item.change !== 'unreadable';
}

/** The selected entries, each with the version that was shown. */
export function chosenEntries(
  entries: readonly FileEntry[],
  items: readonly ImportPreviewItem[],
  chosen: ReadonlySet<string>,
): ImportEntries {
  const known = new Map(items.map((item) => [item.path, item]));
  return entries.flatMap(({ path, data }) => {
    const item = known.get(path);
    if (item === undefined || item.revision === null || !chosen.has(path)) return [];
    return reasonAgainstImporting(item) === undefined ? [{ path, data, revision: item.revision }] : [];
  });
}

/** The deepest folder that contains all of these secrets; empty for the engine itself. */
export function folderOfAll(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  let folder = folderOf(first);
  while (folder !== '' && !others.every((path) => path.startsWith(`${folder}/`))) folder = folderOf(folder);
  return folder;
}
