/** Writes the file of an export. */
import { dotenvOf, jsonFileOf, type FileEntry } from '@gatehouse/api-types/console/secret-files';

export type ExportFormat = 'json' | 'dotenv';

export interface ExportFile {
  readonly name: string;
  readonly text: string;
  readonly type: string;
  /** Fields that the format can't store, as `path: field`. */
  readonly left: readonly string[];
}

/**
 * One file with all secrets.
 * @param title for the file's name: `secret/app`
 * @param folder the paths in the file are relative to it; empty for the mount itself
 */
export function exportFile(
  entries: readonly FileEntry[],
  format: ExportFormat,
  title: string,
  folder: string,
): ExportFile {
  const stem = title.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/g, '') || 'secrets';
  const relative = (path: string): string =>
    folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
  if (format === 'json') {
    return {
      name: `${stem}.json`,
      text: jsonFileOf(entries.map(({ path, data }) => ({ path: relative(path), data }))),
      type: 'application/json',
      left: [],
    };
  }
  const left: string[] = [];
  const parts = entries.map(({ path, data }) => {
    const lines = dotenvOf(data);
    left.push(...lines.left.map((field) => `${relative(path)}: ${field}`));
    return entries.length === 1 ? lines.text : `# ${relative(path)}\n${lines.text}`;
  });
  return { name: `${stem}.env`, text: parts.join('\n'), type: 'text/plain', left };
}

/** Names used by several secrets of a dotenv file: the last one wins. */
export function repeatedNames(entries: readonly FileEntry[]): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { data } of entries) {
    for (const line of dotenvOf(data).text.matchAll(/^([A-Za-z_]\w*)=/gm)) {
      const name = line[1] ?? '';
      if (seen.has(name)) repeated.add(name);
      seen.add(name);
    }
  }
  return [...repeated];
}
