import type { FolderItem } from '@gatehouse/api-types/console/secrets';

/** A name as the server lists it; that of a folder ends with a slash. @param folder where it was found */
export function folderItem(folder: string, key: string): FolderItem {
  const isFolder = key.endsWith('/');
  const name = isFolder ? key.slice(0, -1) : key;
  return { name, path: pathIn(folder, name), folder: isFolder };
}

/** The path of a name in a folder. An empty name in the engine itself is a slash, or it would be the engine. */
export function pathIn(folder: string, name: string): string {
  return folder === '' && name !== '' ? name : `${folder}/${name}`;
}

/** In the order of their bytes, as servers list: the order that pages follow on. */
export function compareKeys(a: string, b: string): number {
  // Characters beyond the first 65,536 are two units each, which are less than some that stand for one.
  if (/[\ud800-\udfff]/.test(a) || /[\ud800-\udfff]/.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
