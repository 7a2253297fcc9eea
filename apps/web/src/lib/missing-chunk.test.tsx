import { afterEach, expect, test, vi } from 'vitest';
import { wordsOf } from './error-words.ts';
import { isMissingPart, reloadOnceForMissingChunks } from './missing-chunk.ts';

reloadOnceForMissingChunks();

afterEach(() => {
  sessionStorage.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What Vite reports before the import fails with the same error. */
function failImport(message: string): TypeError {
  const payload = new TypeError(message);
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }));
  return payload;
}

test.each([
  'Failed to fetch dynamically imported module: http://localhost/assets/a.js',
  'error loading dynamically imported module: http://localhost/assets/a.js',
  'Importing a module script failed.',
])('a file of the page that did not arrive is put in words: %s', (message) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const error = failImport(message);
  expect(isMissingPart(error)).toBe(true);
  expect(wordsOf(error)).toMatchObject({ title: 'You are offline', canRetry: true });
  isOnline.mockReturnValue(true);
  expect(wordsOf(error)).toMatchObject({ title: 'Part of this page couldn’t be loaded', canRetry: true });
  // The router reloads the page over an error with these words.
  expect(error.message).not.toBe(message);
  expect(error.message).toContain(message);
});

test('any other error is none of a missing file', () => {
  expect(isMissingPart(new TypeError('x is not a function'))).toBe(false);
});

test('a page is not reloaded again while a part stays missing', async () => {
  vi.useFakeTimers();
  const fetch = vi.fn<() => Promise<{ ok: boolean }>>(() => Promise.resolve({ ok: false }));
  vi.stubGlobal('fetch', fetch);
  // It was reloaded for this part.
  sessionStorage.setItem('gatehouse.reloaded-for-chunk', '2026-11-26T05:00:00Z');
  window.dispatchEvent(new Event('load'));
  failImport('Importing a module script failed.');
  await vi.advanceTimersByTimeAsync(60_000);
  failImport('Importing a module script failed.');
  expect(fetch).not.toHaveBeenCalled();
});
