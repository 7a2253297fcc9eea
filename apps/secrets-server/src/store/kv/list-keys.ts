import { withParameters } from '@gatehouse/service-kit/store';
import { beyondFolder, listNames, type ListPart } from '../../core/list-names.ts';
import type { SecretsStore } from '../database.ts';
import { kvQueries } from './queries.ts';

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

/** Sorts after every path, because SQLite sorts blobs after texts. */
const beyondAll = new Uint8Array();

export function keyLister(store: SecretsStore): ListKeys {
  const queries = kvQueries(store.build);
  return (mountId, folder, part, giveWay) => {
    const end = folder === '' ? beyondAll : beyondFolder(folder);
    return listNames(
      (from, batch) =>
        store.all(withParameters(queries.paths, mountId, from, end, batch)).map(({ path }) => path),
      folder,
      part,
      giveWay,
    );
  };
}
