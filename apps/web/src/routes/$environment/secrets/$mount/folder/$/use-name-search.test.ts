import { expect, test } from 'vitest';
import { wordsOfSearch } from './SearchProgress.tsx';
import { afterLines, noSearch } from './use-name-search.ts';

const match = (path: string) => ({ kind: 'match', name: path, path, folder: false }) as const;

test('a search says what it found and how far it is, line by line', () => {
  const running = afterLines({ ...noSearch, state: 'running' }, [
    match('a'),
    { kind: 'progress', folders_read: 3, folders_waiting: 2, secrets: 1200 },
    { kind: 'denied', path: 'b', folder: true },
    match('c'),
  ]);
  expect(running.found.map(({ path }) => path)).toEqual(['a', 'c']);
  expect(running.denied).toEqual(['b']);
  expect(wordsOfSearch(running)).toBe('Looked at 1,200 secrets in 3 folders, 2 folders to go.');
  const done = afterLines(running, [
    { kind: 'end', folders_read: 5, secrets: 1300, found: 2, denied: 1, limited: false },
  ]);
  expect([done.state, done.foldersWaiting]).toEqual(['done', 0]);
  expect(wordsOfSearch(done)).toBe('Looked at all 1,300 secrets in 5 folders.');
  expect(wordsOfSearch({ ...done, isLimited: true })).toContain('Stopped after 2 finds');
});

test('one that fails keeps what it found', () => {
  const failed = afterLines({ ...noSearch, state: 'running' }, [
    match('a'),
    { kind: 'failed', code: 'service-sealed', detail: 'It is sealed.' },
  ]);
  expect(failed.state).toBe('failed');
  expect(failed.found).toHaveLength(1);
  expect(failed.error).toEqual(new Error('It is sealed.'));
});
