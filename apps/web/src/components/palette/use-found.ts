import type { Found, SearchLine, Unsearched } from '@gatehouse/api-types/console/search';
import { useEffect, useState } from 'react';
import { readFound } from '#queries/found-records.ts';

/** The results of a search so far. */
export interface FoundRecords {
  /** The searched text. */
  readonly text: string;
  readonly found: readonly Found[];
  readonly unsearched: readonly Unsearched[];
  readonly isDone: boolean;
  readonly error?: unknown;
}

/** Lines that arrive within this time are shown together, in milliseconds. */
const togetherMs = 50;

const nothing = { found: [], unsearched: [] } as const;

/**
 * Searches records for a text, unless it is empty, and returns them as they arrive. A new text ends the last search.
 * @param typed the text as typed so far, which is searched for after a pause
 */
export function useFound(environment: string, text: string, typed: string): FoundRecords {
  const [state, setState] = useState<FoundRecords>({ text: '', ...nothing, isDone: true });
  useEffect(() => {
    if (text === '') return undefined;
    const ended = new AbortController();
    const lines: SearchLine[] = [];
    const show = (isDone: boolean, error?: unknown): void => {
      if (ended.signal.aborted) return;
      setState({
        text,
        found: lines.filter((line) => line.kind === 'found'),
        unsearched: lines.filter((line) => line.kind === 'unsearched'),
        isDone,
        ...(error !== undefined && { error }),
      });
    };
    // One update for the lines that arrive together: each renders the whole palette.
    let waiting: number | undefined;
    const read = async (): Promise<void> => {
      for await (const line of readFound(environment, text, ended.signal)) {
        lines.push(line);
        waiting ??= window.setTimeout(() => {
          waiting = undefined;
          show(false);
        }, togetherMs);
      }
    };
    read()
      .then(
        () => show(true),
        (error: unknown) => show(true, error),
      )
      .finally(() => window.clearTimeout(waiting));
    return () => {
      ended.abort();
      window.clearTimeout(waiting);
    };
  }, [environment, text]);
  if (text === '') return { text, ...nothing, isDone: true };
  if (state.text === text && typed === text) return state;
  // Until its own results arrive, those stay that match what is typed, because Enter opens the first.
  const words = typed.toLowerCase().split(/\s+/u);
  const found = state.found.filter(({ within = '', id, name, detail }) => {
    const all = `${within}/${id} ${name} ${detail}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  return { ...state, text, found, isDone: false };
}
