import { useEffect, useEffectEvent, useRef, useState } from 'react';

export type ScanState = 'running' | 'done' | 'stopped' | 'failed';

export interface Scan<Found> {
  readonly state: ScanState;
  readonly found: Found;
  readonly error: unknown;
  readonly stop: () => void;
  readonly restart: () => void;
}

export interface ScanOptions<Line extends { readonly kind: string }, Found> {
  /** The key of the scan; a new one starts over. Undefined scans nothing. */
  readonly asked: string | undefined;
  readonly begin: (signal: AbortSignal) => AsyncIterable<Line>;
  /** Adds lines to the results. */
  readonly after: (found: Found, lines: readonly Line[]) => Found;
  readonly none: Found;
}

/** How often results are shown, in ms. */
const showMs = 100;

/** Reads a scan's lines as the server sends them, and stops when the component is unmounted. */
export function useScan<Line extends { readonly kind: string }, Found>({
  asked,
  begin,
  after,
  none,
}: ScanOptions<Line, Found>): Scan<Found> {
  const [round, setRound] = useState(0);
  const [seen, setSeen] = useState<{ state: ScanState; found: Found; error: unknown }>({
    state: 'running',
    found: none,
    error: undefined,
  });
  const key = asked === undefined ? undefined : `${asked} ${String(round)}`;
  const [shown, setShown] = useState(key);
  if (shown !== key) {
    setShown(key);
    setSeen({ state: 'running', found: none, error: undefined });
  }
  const controller = useRef<AbortController>(null);
  const beginNow = useEffectEvent(begin);
  const afterNow = useEffectEvent((found: Found | undefined, lines: readonly Line[]) =>
    after(found ?? none, lines),
  );

  useEffect(() => {
    if (key === undefined) return undefined;
    const own = new AbortController();
    controller.current = own;
    let waiting: Line[] = [];
    let found: Found | undefined;
    let hasFailed = false;
    let timer = 0;
    const show = (state: ScanState, error?: unknown): void => {
      window.clearTimeout(timer);
      timer = 0;
      found = afterNow(found, waiting);
      waiting = [];
      setSeen({ state, error, found });
    };
    const read = async (): Promise<void> => {
      try {
        for await (const line of beginNow(own.signal)) {
          if (own.signal.aborted) return;
          waiting.push(line);
          hasFailed ||= line.kind === 'failed';
          timer ||= window.setTimeout(show, showMs, 'running');
        }
        if (!own.signal.aborted) show(hasFailed ? 'failed' : 'done');
      } catch (error) {
        if (!own.signal.aborted) show('failed', error);
      }
    };
    own.signal.addEventListener('abort', () => {
      window.clearTimeout(timer);
    });
    void read();
    return () => {
      own.abort();
    };
  }, [key]);

  return {
    ...seen,
    stop: () => {
      controller.current?.abort();
      setSeen((before) => ({ ...before, state: 'stopped' }));
    },
    restart: () => {
      setRound((count) => count + 1);
    },
  };
}
