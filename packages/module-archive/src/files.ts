/** The files of an archive that describe the module. */
export interface ArchiveFiles {
  /** By path. */
  readonly texts: ReadonlyMap<string, Uint8Array>;
  /** Why files were not read, by path. */
  readonly unread: ReadonlyMap<string, string>;
}

/** Whether a file is configuration. Terraform ignores names with a leading dot, such as those that macOS packs. */
export function isConfiguration(path: string): boolean {
  return /(?:^|\/)[^/.][^/]*\.(?:tf|tofu)(?:\.json)?$/.test(path);
}

/** Whether a file is its folder's README. */
export function isReadme(path: string): boolean {
  return /(?:^|\/)readme(?:\.md|\.markdown|\.txt)?$/i.test(path);
}

/** Whether a file is read: in the module itself, its submodules (`modules/…`) and its examples (`examples/…`). */
export function isReadable(path: string): boolean {
  if (!isConfiguration(path) && !isReadme(path)) return false;
  return !path.includes('/') || path.startsWith('modules/') || path.startsWith('examples/');
}
