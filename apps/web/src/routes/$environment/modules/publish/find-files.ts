/** Finds the files of a chosen or dropped folder. */
import { reasonToLeaveOut, type FoundFile } from './choose-files.ts';

/** A folder with its files, or an archive. */
export type Found =
  | { readonly kind: 'folder'; readonly name: string; readonly files: readonly FoundFile[] }
  | { readonly kind: 'archive'; readonly file: File };

/** The files from the browser's folder picker. */
export function foundInPicker(files: readonly File[]): Found {
  const [first] = files;
  const name = first?.webkitRelativePath.split('/')[0] ?? '';
  return {
    kind: 'folder',
    name,
    files: files.map((file) => ({
      path: file.webkitRelativePath.slice(name.length + 1) || file.name,
      contents: file,
    })),
  };
}

/**
 * Reads a dropped archive, a folder, or a folder's contents. Get the entries while the event is handled; their contents
 * are read here.
 */
export async function foundInDrop(entries: readonly FileSystemEntry[]): Promise<Found> {
  const [first] = entries;
  if (entries.length === 1 && first !== undefined) {
    if (isFile(first)) return { kind: 'archive', file: await fileOf(first) };
    const files = isFolder(first) ? await filesIn(first, '') : [];
    return { kind: 'folder', name: first.name, files };
  }
  const files = await Promise.all(entries.map((entry) => filesOf(entry, entry.name)));
  return { kind: 'folder', name: '', files: files.flat() };
}

async function filesIn(folder: FileSystemDirectoryEntry, within: string): Promise<readonly FoundFile[]> {
  const reader = folder.createReader();
  const found: FoundFile[] = [];
  for (;;) {
    // Browsers return up to a hundred at a time, and none at the end.
    const entries = await new Promise<readonly FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (entries.length === 0) return found;
    for (const entry of entries) found.push(...(await filesOf(entry, within + entry.name)));
  }
}

async function filesOf(entry: FileSystemEntry, path: string): Promise<readonly FoundFile[]> {
  if (isFile(entry)) return [{ path, contents: await fileOf(entry) }];
  if (!isFolder(entry)) return [];
  // An excluded folder may contain a great many files.
  if (reasonToLeaveOut(entry.name) !== undefined) return [{ path, contents: null }];
  return filesIn(entry, `${path}/`);
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
