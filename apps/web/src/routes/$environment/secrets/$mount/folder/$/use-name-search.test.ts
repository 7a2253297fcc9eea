import { expect, test } from 'vitest';
import { wordsOfSearch } from './SearchProgress.tsx';
import { afterLines, nothingFound } from './use-name-search.ts';

const match = (path: string) => ({ kind: 'match', name: path, path, folder: false }) as const;

test('a search reports results and progress line by line', () => {
  const found = afterLines(nothingFound, [
    match('a'),
    { kind: 'progress', folders_read: 3, folders_waiting: 2, secrets: 1200 },
    { kind: 'denied', path: 'b', folder: true },
    match('c'),
  ]);
  expect(found.items.map(({ path }) => path)).toEqual(['a', 'c']);
  expect(found.denied).toEqual(['b']);
  expect(wordsOfSearch({ ...found, state: 'running' })).toBe(
    'Searched 1,200 secrets in 3 folders, 2 folders to go.',
  );
  const all = afterLines(found, [
    { kind: 'end', folders_read: 5, secrets: 1300, found: 2, denied: 1, limited: false },
  ]);
  expect(all.foldersWaiting).toBe(0);
  expect(wordsOfSearch({ ...all, state: 'done' })).toBe('Searched 1,300 secrets in 5 folders.');
  expect(wordsOfSearch({ ...all, state: 'done', isLimited: true })).toContain('Stopped after 2 results');
});

test('a failed search keeps its results', () => {
  const found = afterLines(nothingFound, [
    match('a'),
    { kind: 'failed', code: 'service-sealed', detail: 'It is sealed.' },
  ]);
  expect(found.items).toHaveLength(1);
  expect(found.failure).toBe('It is sealed.');
});
