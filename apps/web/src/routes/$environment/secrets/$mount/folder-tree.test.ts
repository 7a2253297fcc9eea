import { expect, test } from 'vitest';
import { treeOf, type LoadedFolder, type LoadedFolders } from './folder-tree.ts';

const folder = (loaded: Partial<LoadedFolder>): LoadedFolder => ({
  items: [],
  failure: undefined,
  hasMore: false,
  goOn: () => undefined,
  ...loaded,
});
const secret = { name: 'db', path: 'app/db', folder: false };
const inner = { name: 'db', path: 'app/db', folder: true };
const labels = (folders: LoadedFolders, path = 'app') =>
  treeOf(folders, path).map(({ id, label }) => [id, label]);

test('a name of both a secret and a folder is listed twice, and an open folder contains its own names', () => {
  const folders = new Map([
    ['app', folder({ items: [secret, inner] })],
    ['app/db', folder({ items: [{ name: 'x', path: 'app/db/x', folder: false }] })],
  ]);
  expect(labels(folders)).toEqual([
    ['secret:app/db', 'db'],
    ['folder:app/db', 'db'],
  ]);
  expect(treeOf(folders, 'app')[1]?.children?.map(({ id }) => id)).toEqual(['secret:app/db/x']);
});

test('shows loading, empty and failed folders, and loads more when the end scrolls into view', () => {
  expect(labels(new Map())).toEqual([['note 0:app', 'Loading…']]);
  expect(labels(new Map([['app', folder({})]]))).toEqual([['note 0:app', 'Empty']]);
  expect(labels(new Map([['app', folder({ items: undefined, failure: 'Not allowed' })]]))).toEqual([
    ['note 0:app', 'Not allowed: retry'],
  ]);
  expect(labels(new Map([['app', folder({ items: [secret], failure: 'Sealed' })]])).at(-1)).toEqual([
    'note 1:app',
    'Sealed: continue',
  ]);
  let read = 0;
  const more = new Map([
    [
      'app',
      folder({
        items: [secret],
        hasMore: true,
        goOn: () => {
          read += 1;
        },
      }),
    ],
  ]);
  treeOf(more, 'app').at(-1)?.onShown?.();
  expect(read).toBe(1);
});
