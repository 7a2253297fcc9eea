// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { afterPress } from './after-press.ts';

test('work that moves the page waits until a press has had its click', async () => {
  const done: string[] = [];
  afterPress(() => done.push('at once'));
  expect(done).toEqual(['at once']);
  document.dispatchEvent(new Event('pointerdown'));
  afterPress(() => done.push('moved'));
  document.dispatchEvent(new Event('pointerup'));
  done.push('clicked');
  expect(done).toEqual(['at once', 'clicked']);
  await expect.poll(() => done).toEqual(['at once', 'clicked', 'moved']);
  afterPress(() => done.push('at once again'));
  expect(done.at(-1)).toBe('at once again');
});
