import { expect, test } from 'vitest';
import { proposedOver } from './proposed-over.ts';

test("a file's proposal replaces an empty value and an earlier proposal, but not typed text", () => {
  expect(proposedOver('', '', 'mine-1.0')).toBe('mine-1.0');
  expect(proposedOver('mine-1.0', 'mine-1.0', 'mine-1.1')).toBe('mine-1.1');
  expect(proposedOver('typed', 'mine-1.0', 'mine-1.1')).toBe('typed');
});
