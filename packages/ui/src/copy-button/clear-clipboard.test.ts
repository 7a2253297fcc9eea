// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearClipboardLater, secretSeconds } from './clear-clipboard.ts';

let clipboard = '';
let hasFocus = true;

beforeEach(() => {
  vi.useFakeTimers();
  clipboard = 'secret';
  hasFocus = true;
  vi.spyOn(document, 'hasFocus').mockImplementation(() => hasFocus);
  vi.stubGlobal('navigator', {
    clipboard: {
      writeText: (text: string) => {
        clipboard = text;
        return Promise.resolve();
      },
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('clears the clipboard after the given time and reports it', async () => {
  const cleared = vi.fn();
  clearClipboardLater(cleared);
  await vi.advanceTimersByTimeAsync(secretSeconds * 1000 - 1);
  expect(clipboard).toBe('secret');
  await vi.advanceTimersByTimeAsync(1);
  expect(clipboard).toBe('');
  expect(cleared).toHaveBeenCalledOnce();
});

test('keeps the clipboard if the page copied something else or another window has the focus', async () => {
  clearClipboardLater(() => undefined);
  clipboard = 'something else';
  document.dispatchEvent(new Event('copy'));
  await vi.advanceTimersByTimeAsync(secretSeconds * 1000);
  expect(clipboard).toBe('something else');
  clearClipboardLater(() => undefined);
  hasFocus = false;
  await vi.advanceTimersByTimeAsync(secretSeconds * 1000);
  expect(clipboard).toBe('something else');
});
