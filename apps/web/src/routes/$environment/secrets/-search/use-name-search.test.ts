import { expect, test } from 'vitest';
import { wordsOfSearch } from './SearchProgress.tsx';
import { afterLines, inTurn, nothingFound } from './use-name-search.ts';

const mount = 'secret';
const match = (path: string) => ({ kind: 'match', name: path, path, folder: false, mount }) as const;

test('a search reports results and progress line by line', () => {
  const found = afterLines(nothingFound, [
    match('a'),
    { kind: 'progress', folders_read: 3, folders_waiting: 2, secrets: 1200, mount },
    { kind: 'denied', path: 'b', folder: true, mount },
    match('c'),
  ]);
  expect(found.items.map(({ path }) => path)).toEqual(['a', 'c']);
  expect(found.denied).toEqual(['b']);
  expect(wordsOfSearch({ ...found, state: 'running' })).toBe(
    'Searched 1,200 secrets in 3 folders, 2 folders to go.',
  );
  const all = afterLines(found, [
    { kind: 'end', folders_read: 5, secrets: 1300, found: 2, denied: 1, limited: false, mount },
  ]);
  expect(all.foldersWaiting).toBe(0);
  expect(wordsOfSearch({ ...all, state: 'done' })).toBe('Searched 1,300 secrets in 5 folders.');
  expect(wordsOfSearch({ ...all, state: 'done', isLimited: true })).toContain('Stopped after 2 results');
});

test('a failed search keeps its results', () => {
  const found = afterLines(nothingFound, [
    match('a'),
    { kind: 'failed', code: 'service-sealed', detail: 'It is sealed.', mount },
  ]);
  expect(found.items).toHaveLength(1);
  expect(found.failure).toBe('It is sealed.');
});

test('a search of several engines names the engine of each result, and counts them together', async () => {
  const places = ['secret', 'team/kv'].map((name) => ({ environment: 'local', mount: name, path: '' }));
  let found = nothingFound;
  for await (const line of inTurn(places, async function* search({ mount: name }) {
    yield { kind: 'match', name: 'db', path: 'app/db', folder: false };
    yield { kind: 'progress', folders_read: 1, folders_waiting: 3, secrets: 10 };
    yield { kind: 'denied', path: 'private', folder: true };
    yield { kind: 'end', folders_read: 4, secrets: 20, found: 1, denied: 1, limited: name === 'secret' };
  })) {
    found = afterLines(found, [line]);
    if (line.mount === 'secret' && line.kind === 'progress') expect(found.foldersWaiting).toBeGreaterThan(0);
  }
  expect(found.items.map(({ mount: name, path }) => `${name}/${path}`)).toEqual([
    'secret/app/db',
    'team/kv/app/db',
  ]);
  expect(found).toMatchObject({
    foldersRead: 8,
    foldersWaiting: 0,
    looked: 40,
    isLimited: true,
    denied: ['secret/private', 'team/kv/private'],
  });
});
