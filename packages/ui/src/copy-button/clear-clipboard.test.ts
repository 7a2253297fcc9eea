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

test('the clipboard is cleared after its time, and that is told', async () => {
  const cleared = vi.fn();
  clearClipboardLater(cleared);
  await vi.advanceTimersByTimeAsync(secretSeconds * 1000 - 1);
  expect(clipboard).toBe('secret');
  await vi.advanceTimersByTimeAsync(1);
  expect(clipboard).toBe('');
  expect(cleared).toHaveBeenCalledOnce();
});

test('what was copied in the page meanwhile stays, as does everything while another window has the focus', async () => {
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
