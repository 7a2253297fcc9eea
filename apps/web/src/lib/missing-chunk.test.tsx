import { fetchPart, retryParts } from '@gatehouse/ui/lazy';
import { afterEach, expect, test, vi } from 'vitest';
import { wordsOf } from './error-words.ts';
import { isMissingPart, reloadOnceForMissingChunks } from './missing-chunk.ts';

reloadOnceForMissingChunks();

afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The event that Vite fires before the import fails with the same error. */
function failImport(message: string): TypeError {
  const payload = new TypeError(message);
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }));
  return payload;
}

test.each([
  'Failed to fetch dynamically imported module: http://localhost/assets/a.js',
  'error loading dynamically imported module: http://localhost/assets/a.js',
  'Importing a module script failed.',
])('a missing file of the page is described: %s', (message) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const error = failImport(message);
  expect(isMissingPart(error)).toBe(true);
  expect(wordsOf(error)).toMatchObject({ title: 'You are offline', canRetry: true });
  isOnline.mockReturnValue(true);
  expect(wordsOf(error)).toMatchObject({ title: "Part of this page couldn't be loaded", canRetry: true });
  // The router reloads the page for errors with this message.
  expect(error.message).not.toBe(message);
  expect(error.message).toContain(message);
});

test('an error of the page itself is not reported as a missing file', () => {
  expect(isMissingPart(new TypeError('x is not a function'))).toBe(false);
});

test('an automatic retry of a missing part does not reload a shown page, but a retry by the user does', async () => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  // The server is checked before the page is reloaded; while it doesn't answer, nothing is reloaded.
  const askServer = vi.fn<() => Promise<never>>(() => Promise.reject(new TypeError('no network')));
  vi.stubGlobal('fetch', askServer);
  let isServed = false;
  const load = vi.fn<() => Promise<string>>(async () => {
    await Promise.resolve();
    if (!isServed) throw failImport('Importing a module script failed.');
    return 'The part';
  });
  const part = fetchPart(load);
  await vi.advanceTimersByTimeAsync(0);
  expect(askServer).toHaveBeenCalledTimes(1);
  // Reloading loses nothing while nothing is shown.
  await vi.advanceTimersByTimeAsync(30_000);
  expect(askServer).toHaveBeenCalledTimes(2);
  document.body.innerHTML = '<div id="root"><input></div>';
  await vi.advanceTimersByTimeAsync(30_000);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(load).toHaveBeenCalledTimes(4);
  expect(askServer).toHaveBeenCalledTimes(2);
  retryParts();
  await vi.advanceTimersByTimeAsync(0);
  expect(askServer).toHaveBeenCalledTimes(3);
  isServed = true;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await part).toBe('The part');
  failImport('Importing a module script failed.');
  expect(askServer).toHaveBeenCalledTimes(4);
});
