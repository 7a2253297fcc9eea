import { withParameters } from '@gatehouse/service-kit/store';
import { badRequest } from '../../core/refusal.ts';
import type { SecretsStore } from '../database.ts';
import { kvQueries } from './queries.ts';

/** The part of a folder to list. */
export interface ListPart {
  /** Only names after this one; empty to start at the beginning. */
  readonly after: string;
  /** The maximum number of names; 0 or less for all. */
  readonly limit: number;
}

/**
 * Lists a folder of an engine in byte order: names of keys, and names of folders with a trailing slash.
 * @param giveWay lets others continue, and throws if the names aren't needed any more
 * @throws Refusal 400 if the names are too long in total
 */
export type ListKeys = (
  mountId: number,
  folder: string,
  part: ListPart,
  giveWay: () => Promise<void>,
) => Promise<string[]>;

/** Most characters of the names in one answer, which is written in one stretch. */
const mostCharacters = 8 * 1024 * 1024;

/** Rows per query: enough for a screen, and not many to discard when a deep folder is skipped. */
const batch = 500;

/** The character after the slash in byte order, which ends the range of a folder's keys. */
const afterSlash = '0';
/** Sorts after every path, because SQLite sorts blobs after texts. */
const beyondAll = new Uint8Array();

/** Reads a folder's keys in order, and skips the contents of its subfolders after at most one batch each. */
export function keyLister(store: SecretsStore): ListKeys {
  const queries = kvQueries(store.build);
  return async (mountId, folder, { after, limit }, giveWay) => {
    const end = folder === '' ? beyondAll : folder.slice(0, -1) + afterSlash;
    const names: string[] = [];
    let characters = 0;
    let from = firstPath(folder, after);
    for (;;) {
      // Comes before the read, whose names are in memory until the end.
      await giveWay();
      const rows = store.all(withParameters(queries.paths, mountId, from, end, batch));
      let inner: string | undefined;
      for (const { path } of rows) {
        if (inner !== undefined && path.startsWith(inner)) continue;
        const slash = path.indexOf('/', folder.length);
        inner = slash === -1 ? undefined : path.slice(0, slash + 1);
        const name = (inner ?? path).slice(folder.length);
        names.push(name);
        if (names.length === limit) return names;
        characters += name.length;
        if (characters > mostCharacters)
          throw badRequest(
            'this folder has too many keys for one response: use limit and after to list it in pages',
          );
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
