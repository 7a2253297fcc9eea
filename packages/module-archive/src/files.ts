/** The files of an archive that say what the module is. */
export interface ArchiveFiles {
  /** By path. */
  readonly texts: ReadonlyMap<string, Uint8Array>;
  /** Why others are not read, by path. */
  readonly unread: ReadonlyMap<string, string>;
}

/** Whether a file declares something. Terraform ignores names that begin with a dot, such as those that macOS packs. */
export function isConfiguration(path: string): boolean {
  return /(?:^|\/)[^/.][^/]*\.(?:tf|tofu)(?:\.json)?$/.test(path);
}

/** Whether a file is the description of its folder. */
export function isReadme(path: string): boolean {
  return /(?:^|\/)readme(?:\.md|\.markdown|\.txt)?$/i.test(path);
}

/** Whether a file is read: of the module itself, its submodules (`modules/…`) and its examples (`examples/…`). */
export function isReadable(path: string): boolean {
  if (!isConfiguration(path) && !isReadme(path)) return false;
  return !path.includes('/') || path.startsWith('modules/') || path.startsWith('examples/');
}
