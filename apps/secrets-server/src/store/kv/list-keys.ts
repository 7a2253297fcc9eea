import { withParameters } from '@gatehouse/service-kit/store';
import type { SecretsStore } from '../database.ts';
import { kvQueries } from './queries.ts';

/** Which part of a folder is listed. */
export interface ListPart {
  /** Names after this one alone; from the beginning when empty. */
  readonly after: string;
  /** Most names; all when 0 or less. */
  readonly limit: number;
}

/** Lists what is in a folder of an engine: names of keys, and of folders with a slash at their end, in the order of their bytes. */
export type ListKeys = (mountId: number, folder: string, part: ListPart) => string[];

/** Rows that one query reads: enough for a screen, and little to throw away when a deep folder is jumped over. */
const batch = 500;

/** What follows the slash in the order of bytes: where a folder's keys end. */
const afterSlash = '0';
/** Follows every path: to SQLite bytes are greater than any text. */
const beyondAll = new Uint8Array();

/** A folder's own keys are read in order; of a folder in it, only as much as a batch holds. */
export function keyLister(store: SecretsStore): ListKeys {
  const queries = kvQueries(store.build);
  return (mountId, folder, { after, limit }) => {
    const end = folder === '' ? beyondAll : folder.slice(0, -1) + afterSlash;
    const names: string[] = [];
    let from = firstPath(folder, after);
    for (;;) {
      const rows = store.all(withParameters(queries.paths, mountId, from, end, batch));
      let inner: string | undefined;
      for (const { path } of rows) {
        if (inner !== undefined && path.startsWith(inner)) continue;
        const slash = path.indexOf('/', folder.length);
        if (slash === -1) names.push(path.slice(folder.length));
        else {
          inner = path.slice(0, slash + 1);
          names.push(inner.slice(folder.length));
        }
        if (names.length === limit) return names;
      }
      const last = rows.at(-1)?.path;
      if (rows.length < batch || last === undefined) return names;
      from = inner !== undefined && last.startsWith(inner) ? inner.slice(0, -1) + afterSlash : `${last}\0`;
    }
  };
}

function firstPath(folder: string, after: string): string {
  if (after === '') return folder;
  const slash = after.indexOf('/');
  return slash === -1 ? `${folder}${after}\0` : folder + after.slice(0, slash) + afterSlash;
}
