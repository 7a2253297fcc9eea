import type { FolderItem } from '@gatehouse/api-types/console/secrets';

/** Converts a listed name, which ends with a slash for a folder. @param folder the path of the listed folder */
export function folderItem(folder: string, key: string): FolderItem {
  const isFolder = key.endsWith('/');
  const name = isFolder ? key.slice(0, -1) : key;
  return { name, path: pathIn(folder, name), folder: isFolder };
}

/** The path of a name in a folder. An empty name at the engine's root is "/", unlike the root itself. */
export function pathIn(folder: string, name: string): string {
  return folder === '' && name !== '' ? name : `${folder}/${name}`;
}

/** Compares names by their UTF-8 bytes, as servers sort them, which paging relies on. */
export function compareKeys(a: string, b: string): number {
  // In UTF-16, surrogate pairs sort before some characters with smaller code points.
  if (/[\ud800-\udfff]/.test(a) || /[\ud800-\udfff]/.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
