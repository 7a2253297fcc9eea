import { expect, test } from 'vitest';
import { proposedOver } from './proposed-over.ts';

test('a file proposes a value over none and over that of the file before it, never over what was typed', () => {
  expect(proposedOver('', '', 'mine-1.0')).toBe('mine-1.0');
  expect(proposedOver('mine-1.0', 'mine-1.0', 'mine-1.1')).toBe('mine-1.1');
  expect(proposedOver('typed', 'mine-1.0', 'mine-1.1')).toBe('typed');
});
