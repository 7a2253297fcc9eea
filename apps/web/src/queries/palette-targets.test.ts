import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { paletteBoxesQuery } from './boxes.ts';
import { paletteModulesQuery } from './modules.ts';
import { paletteTargetsQuery, targetsHolding } from './palette-targets.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('what is typed is searched for as it is, not as a pattern', () => {
  const pattern = '`(?i)a\\.b"c\\x60`';
  expect(targetsHolding(' a.b"c` ')).toBe(
    `"/item/name" matches ${pattern} or "/item/id" matches ${pattern} or "/item/address" matches ${pattern}`,
  );
});

test('a search for what is typed cancels the one before it', async () => {
  const signals: AbortSignal[] = [];
  vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  });
  const client = new QueryClient();
  for (const query of [paletteTargetsQuery, paletteBoxesQuery, paletteModulesQuery]) {
    signals.length = 0;
    const observer = new QueryObserver(client, query('local', 'd') as never);
    const unsubscribe = observer.subscribe(() => undefined);
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    observer.setOptions(query('local', 'db') as never);
    await vi.waitFor(() => expect(signals).toHaveLength(2));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    unsubscribe();
  }
});
