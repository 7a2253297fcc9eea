import * as at from '@gatehouse/api-types/console/addresses/secrets';
import type { SearchLine } from '@gatehouse/api-types/console/secret-scans';
import type { FolderItem } from '@gatehouse/api-types/console/secrets';
import { readLines } from '#lib/api.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { useScan, type ScanState } from '#routes/$environment/secrets/use-scan.ts';
import { afterWalkLine, notBegun, type Walk } from '#routes/$environment/secrets/walk.ts';

/** A search's results and progress so far. */
interface FoundNames extends Walk {
  readonly items: readonly FolderItem[];
}

export interface NameSearch extends FoundNames {
  readonly state: ScanState;
}

export const nothingFound: FoundNames = { ...notBegun, items: [] };

/** Adds lines to a search's results. */
export function afterLines(before: FoundNames, lines: readonly SearchLine[]): FoundNames {
  const items: FolderItem[] = [];
  const denied: string[] = [];
  let next = before;
  for (const line of lines) {
    switch (line.kind) {
      case 'match':
        items.push({ name: line.name, path: line.path, folder: line.folder });
        break;
      case 'denied':
        denied.push(line.path);
        break;
      default:
        next = afterWalkLine(next, line);
    }
  }
  return {
    ...next,
    items: items.length === 0 ? next.items : [...next.items, ...items],
    denied: denied.length === 0 ? next.denied : [...next.denied, ...denied],
  };
}

/** Searches the folders below `place` for names that contain every word of `text`, and shows results as they arrive. */
export function useNameSearch({ environment, mount, path }: SecretPlace, text: string) {
  const wanted = text.trim();
  const { state, found, error, stop, restart } = useScan({
    asked: wanted === '' ? undefined : JSON.stringify([environment, mount, path, wanted]),
    begin: (signal) =>
      readLines(at.secretScans.search, {
        params: { environment, mount },
        query: { text: wanted, ...(path !== '' && { folder: path }) },
        signal,
      }),
    after: afterLines,
    none: nothingFound,
  });
  const search: NameSearch = { ...found, state };
  return { search, error, stop, restart };
}
