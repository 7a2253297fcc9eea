// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { collectTyped } from './typed-ahead.ts';

const press = (key: string, more: KeyboardEventInit = {}): KeyboardEvent => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  document.body.dispatchEvent(event);
  return event;
};

test('keys typed before a field opens are kept, and have no other effect', () => {
  const heard: string[] = [];
  const hear = ({ key }: KeyboardEvent): void => void heard.push(key);
  document.addEventListener('keydown', hear);
  const take = collectTyped();
  for (const key of ['n', 'e', 'x', 'Backspace', 'w', ' ', 'Shift', 'T']) press(key);
  expect(press('a').defaultPrevented).toBe(true);
  expect(press('k', { ctrlKey: true }).defaultPrevented).toBe(false);
  expect([take(), take()]).toEqual(['new Ta', '']);
  expect(heard).toEqual(['Shift', 'k']);
  press('z');
  expect(heard.at(-1)).toBe('z');
  document.removeEventListener('keydown', hear);
});
