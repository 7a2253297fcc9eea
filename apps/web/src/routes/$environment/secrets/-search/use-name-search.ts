import * as at from '@gatehouse/api-types/console/addresses/secrets';
import type { SearchLine } from '@gatehouse/api-types/console/secret-scans';
import type { FolderItem } from '@gatehouse/api-types/console/secrets';
import { readLines } from '#lib/api.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { useScan, type ScanState } from '../use-scan.ts';
import { afterWalkLine, notBegun, type Walk } from '../walk.ts';

/** A name that was found, with its engine. */
export interface FoundName extends FolderItem {
  readonly mount: string;
}

/** A search's results and progress so far. */
interface FoundNames extends Walk {
  readonly items: readonly FoundName[];
}

export interface NameSearch extends FoundNames {
  readonly state: ScanState;
}

export const nothingFound: FoundNames = { ...notBegun, items: [] };

/** A line of one engine's search. */
type FoundLine = SearchLine & { readonly mount: string };

/** Adds lines to a search's results. */
export function afterLines(before: FoundNames, lines: readonly FoundLine[]): FoundNames {
  const items: FoundName[] = [];
  const denied: string[] = [];
  let next = before;
  for (const line of lines) {
    switch (line.kind) {
      case 'match':
        items.push({ name: line.name, path: line.path, folder: line.folder, mount: line.mount });
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

/**
 * Searches the folders below these places, one after the other, for names that contain every word of `text`, and shows
 * results as they arrive.
 */
export function useNameSearch(places: readonly SecretPlace[], text: string) {
  const wanted = text.trim();
  const { state, found, error, stop, restart } = useScan({
    asked: wanted === '' || places.length === 0 ? undefined : JSON.stringify([places, wanted]),
    begin: (signal) => inTurn(places, (place) => linesBelow(place, wanted, signal)),
    after: afterLines,
    none: nothingFound,
  });
  const search: NameSearch = { ...found, state };
  return { search, error, stop, restart };
}

function linesBelow(
  { environment, mount, path }: SecretPlace,
  text: string,
  signal: AbortSignal,
): AsyncIterable<SearchLine> {
  return readLines(at.secretScans.search, {
    params: { environment, mount },
    query: { text, ...(path !== '' && { folder: path }) },
    signal,
  });
}

/** The lines of several searches as those of one: counts add up, and only the last one's end is an end. */
export async function* inTurn(
  places: readonly SecretPlace[],
  search: (place: SecretPlace) => AsyncIterable<SearchLine>,
): AsyncIterable<FoundLine> {
  const before = { folders: 0, secrets: 0, isLimited: false };
  for (const [index, place] of places.entries()) {
    const left = places.length - 1 - index;
    const { mount } = place;
    for await (const line of search(place)) {
      if (line.kind === 'denied') {
        yield { ...line, mount, path: places.length === 1 ? line.path : `${mount}/${line.path}` };
      } else if (line.kind === 'match' || line.kind === 'failed') {
        yield { ...line, mount };
      } else {
        const counts = {
          mount,
          folders_read: before.folders + line.folders_read,
          secrets: before.secrets + line.secrets,
        };
        if (line.kind === 'progress') {
          yield { ...line, ...counts, folders_waiting: line.folders_waiting + left };
          continue;
        }
        before.folders = counts.folders_read;
        before.secrets = counts.secrets;
        before.isLimited ||= line.limited;
        yield left === 0
          ? { ...line, ...counts, limited: before.isLimited }
          : { ...counts, kind: 'progress', folders_waiting: left };
      }
    }
  }
}
