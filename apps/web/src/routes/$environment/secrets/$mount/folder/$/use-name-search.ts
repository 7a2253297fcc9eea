import { searchSecrets, type SearchLine } from '@gatehouse/api-types/console/secret-scans';
import type { FolderItem } from '@gatehouse/api-types/console/secrets';
import { useEffect, useRef, useState } from 'react';
import { readLines } from '../../../../../../lib/api.ts';
import type { SecretPlace } from '../../../../../../queries/secrets.ts';

/** How far a search is. */
export interface NameSearch {
  readonly state: 'waiting' | 'running' | 'done' | 'stopped' | 'failed';
  readonly found: readonly FolderItem[];
  readonly foldersRead: number;
  readonly foldersWaiting: number;
  /** Secrets looked at so far. */
  readonly secrets: number;
  /** Folders that may not be looked into. */
  readonly denied: readonly string[];
  /** It stopped because enough was found. */
  readonly isLimited: boolean;
  readonly error: unknown;
}

export const noSearch: NameSearch = {
  state: 'waiting',
  found: [],
  foldersRead: 0,
  foldersWaiting: 0,
  secrets: 0,
  denied: [],
  isLimited: false,
  error: undefined,
};

/** How often what was found is shown, in ms. */
const showMs = 100;

/** What a search says after some more lines. */
export function afterLines(search: NameSearch, lines: readonly SearchLine[]): NameSearch {
  const found: FolderItem[] = [];
  const denied: string[] = [];
  let next = search;
  for (const line of lines) {
    switch (line.kind) {
      case 'match':
        found.push({ name: line.name, path: line.path, folder: line.folder });
        break;
      case 'denied':
        denied.push(line.path);
        break;
      case 'progress':
        next = {
          ...next,
          foldersRead: line.folders_read,
          foldersWaiting: line.folders_waiting,
          secrets: line.secrets,
        };
        break;
      case 'end':
        next = {
          ...next,
          state: 'done',
          foldersRead: line.folders_read,
          foldersWaiting: 0,
          secrets: line.secrets,
          isLimited: line.limited,
        };
        break;
      case 'failed':
        next = { ...next, state: 'failed', error: new Error(line.detail) };
        break;
    }
  }
  return {
    ...next,
    found: found.length === 0 ? next.found : [...next.found, ...found],
    denied: denied.length === 0 ? next.denied : [...next.denied, ...denied],
  };
}

/** Walks the folders below `place` for names that hold every word of `text`, and shows what is found as it is found. */
export function useNameSearch(
  { environment, mount, path }: SecretPlace,
  text: string,
): { search: NameSearch; stop: () => void; restart: () => void } {
  const [search, setSearch] = useState(noSearch);
  const [round, setRound] = useState(0);
  const controller = useRef<AbortController>(null);
  const wanted = text.trim();
  const asked = JSON.stringify([environment, mount, path, wanted, round]);
  const [shown, setShown] = useState(asked);
  if (shown !== asked) {
    setShown(asked);
    setSearch(noSearch);
  }

  useEffect(() => {
    if (wanted === '') return undefined;
    const own = new AbortController();
    controller.current = own;
    let waiting: SearchLine[] = [];
    let timer = 0;
    const show = (more: Partial<NameSearch> = {}): void => {
      window.clearTimeout(timer);
      timer = 0;
      const lines = waiting;
      waiting = [];
      setSearch((before) => ({ ...afterLines(before, lines), ...more }));
    };
    const walk = async (): Promise<void> => {
      show({ state: 'running' });
      try {
        const query = { text: wanted, ...(path !== '' && { folder: path }) };
        const lines = readLines(searchSecrets, {
          params: { environment, mount },
          query,
          signal: own.signal,
        });
        for await (const line of lines) {
          waiting.push(line);
          timer ||= window.setTimeout(show, showMs);
        }
        if (!own.signal.aborted) show();
      } catch (error) {
        if (!own.signal.aborted) show({ state: 'failed', error });
      }
    };
    own.signal.addEventListener('abort', () => {
      window.clearTimeout(timer);
    });
    void walk();
    return () => {
      own.abort();
    };
  }, [environment, mount, path, wanted, round]);

  return {
    search,
    stop: () => {
      controller.current?.abort();
      setSearch((before) => ({ ...before, state: 'stopped' }));
    },
    restart: () => {
      setRound((count) => count + 1);
    },
  };
}
