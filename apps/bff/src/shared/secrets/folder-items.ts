import type { FolderItem } from '@gatehouse/api-types/console/secrets';

/** A name as the server lists it; that of a folder ends with a slash. @param folder where it was found */
export function folderItem(folder: string, key: string): FolderItem {
  const isFolder = key.endsWith('/');
  const name = isFolder ? key.slice(0, -1) : key;
  return { name, path: folder === '' ? name : `${folder}/${name}`, folder: isFolder };
}

/** In the order of their characters, as servers list: the order that pages follow on. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
