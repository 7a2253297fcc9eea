import type { Request } from './backend.ts';
import { numberParameter } from './fields.ts';
import { mostListed } from './json/map-text.ts';
import { badRequest } from './refusal.ts';

/** The part of a list to return. */
export interface ListPart {
  /** Only names after this one; empty to start at the beginning. */
  readonly after: string;
  /** The maximum number of names; 0 or less for all. */
  readonly limit: number;
}

/** The part of a list that the query asks for, with `after` and `limit`. @throws Refusal 400 */
export function listPart(request: Request): ListPart {
  return { after: request.query.get('after') ?? '', limit: numberParameter(request, 'limit') };
}

/** The part that is the whole list. */
export const wholeList: ListPart = { after: '', limit: 0 };

/** Reads the first names from `from` on, in byte order, at most as many as `batch`. */
export type ReadNames = (from: string, batch: number) => readonly string[];

/** Rows per query: enough for a screen, and not many to discard when a deep folder is skipped. */
const batch = 500;

/** The first name in byte order after all names in a folder. @param folder with a trailing slash */
export function beyondFolder(folder: string): string {
  // '0' is the character after '/'.
  return `${folder.slice(0, -1)}0`;
}

/** What to do with a list that is too long for one answer. */
export const inPages = 'use limit and after to list it in pages';

/**
 * Lists names in byte order, in slices. What is in subfolders is skipped after at most one batch each, and each
 * subfolder returned as one name, with a trailing slash.
 * @param folder in which to list, with a trailing slash; empty for everything; undefined if names have no folders
 * @param giveWay lets others continue, and throws if the names aren't needed any more
 * @param tooLong what to do if the list is too long, and the most characters it may have
 * @throws Refusal 400 if the names are too long in total
 */
export async function listNames(
  read: ReadNames,
  folder: string | undefined,
  { after, limit }: ListPart,
  giveWay: () => Promise<void>,
  { remedy = inPages, most = mostListed }: { readonly remedy?: string; readonly most?: number } = {},
): Promise<string[]> {
  const start = folder ?? '';
  const slashAfter = (text: string, at: number): number =>
    folder === undefined ? -1 : text.indexOf('/', at);
  const names: string[] = [];
  let characters = 0;
  const slash = slashAfter(after, 0);
  let from =
    after === '' ? start : start + (slash === -1 ? `${after}\0` : beyondFolder(after.slice(0, slash + 1)));
  for (;;) {
    // Comes before the read, whose names are in memory until the end.
    await giveWay();
    const found = read(from, batch);
    let inner: string | undefined;
    for (const path of found) {
      if (inner !== undefined && path.startsWith(inner)) continue;
      const end = slashAfter(path, start.length);
      inner = end === -1 ? undefined : path.slice(0, end + 1);
      const name = (inner ?? path).slice(start.length);
      names.push(name);
      if (names.length === limit) return names;
      characters += name.length;
      if (characters > most) throw badRequest(`this list is too long for one response: ${remedy}`);
    }
    const last = found.at(-1);
    if (found.length < batch || last === undefined) return names;
    from = inner !== undefined && last.startsWith(inner) ? beyondFolder(inner) : `${last}\0`;
  }
}
