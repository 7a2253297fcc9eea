import { expect, test } from 'vitest';
import { byWhom, byWhomAndWhen } from './author-words.ts';

test('a change is by someone else, by you in another window, or made elsewhere', () => {
  expect(byWhom({ changedBy: 'Ada', isYours: false })).toBe('by Ada');
  expect(byWhom({ changedBy: 'Ada', isYours: true })).toBe('by you in another window');
  expect(byWhom({ changedBy: null })).toBe('elsewhere');
});

test('the time of the change follows if known', () => {
  const changedAt = '2026-11-23T13:00:00Z';
  const now = Date.parse(changedAt) + 120_000;
  expect(byWhomAndWhen({ changedBy: 'Ada', changedAt }, now)).toBe('by Ada, 2 minutes ago');
  expect(byWhomAndWhen({ changedBy: null, changedAt: null }, now)).toBe('elsewhere');
});
