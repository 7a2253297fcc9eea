import { badArchive } from './bad-archive.ts';

/**
 * Finds what is in one folder of an archive.
 * @param folder names of folders from the root, of which `*` is any one: there may be one alone that it fits
 * @returns the path within the folder of a path of the archive; undefined for what is elsewhere
 * @throws BadArchive (what is returned) when two folders fit
 */
export function folderFinder(folder: readonly string[]): (path: string) => string | undefined {
  let found: string | undefined;
  return (path) => {
    const parts = path.split('/');
    if (parts.length <= folder.length) return folder.length === 0 ? path : undefined;
    if (!folder.every((name, at) => name === '*' || name === parts[at])) return undefined;
    const start = parts.slice(0, folder.length).join('/');
    found ??= start;
    if (found !== start) throw badArchive(`more than one folder in it is called ${folder.join('/')}`);
    return parts.slice(folder.length).join('/');
  };
}
