import { expect, test } from 'vitest';
import { keyOf } from './shortcuts.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test.each([
  [{ ...plain, key: 's', ctrlKey: true }, 'Mod+S'],
  [{ ...plain, key: 's', metaKey: true }, 'Mod+S'],
  [{ ...plain, key: 'P', ctrlKey: true, shiftKey: true }, 'Mod+Shift+P'],
  [{ ...plain, key: '?', shiftKey: true }, '?'],
  [{ ...plain, key: 'g' }, 'g'],
  [{ ...plain, key: 'Escape' }, 'Escape'],
  [{ ...plain, key: 'Shift', shiftKey: true }, undefined],
  [{ ...plain, key: 'ArrowLeft', altKey: true }, undefined],
])('%j is %s', (event, key) => {
  expect(keyOf(event)).toBe(key);
});
