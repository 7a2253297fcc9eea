import { expect, test } from 'vitest';
import { BadArchive } from './bad-archive.ts';
import type { ArchiveFiles } from './files.ts';
import { archiveBounds, passArchive } from './read-archive.ts';
import { archive } from './testing/archives.ts';

async function filesIn(files: readonly string[], folder: readonly string[]): Promise<string[]> {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield archive(Object.fromEntries(files.map((path) => [path, ''])));
  }
  let found: ArchiveFiles = { texts: new Map(), unread: new Map() };
  for await (const _chunk of passArchive(body(), archiveBounds, (all) => void (found = all), { folder }))
    continue;
  return [...found.texts.keys()];
}

test.each([
  [[], ['main.tf', 'x/main.tf'], ['main.tf']],
  [['x'], ['main.tf', 'x/main.tf', 'x/modules/y/main.tf'], ['main.tf', 'modules/y/main.tf']],
  [['*'], ['x-1/main.tf', 'x-1/README.md'], ['main.tf', 'README.md']],
  [['*', 'modules', 'y'], ['x/main.tf', 'x/modules/y/main.tf', 'x/modules/z/main.tf'], ['main.tf']],
])('finds in the folder %j of %j the files %j', async (folder, files, expected) => {
  expect(await filesIn(files, folder)).toEqual(expected);
});

test.each([
  [['*'], ['x/main.tf', 'y/main.tf'], 'more than one folder'],
  [['*'], ['main.tf'], 'no module in the folder *'],
  [['y'], ['x/main.tf'], 'no module in the folder y'],
  [['x', 'modules'], ['x/modules/y/main.tf'], 'no module in the folder x/modules'],
])('refuses the folder %j of %j', async (folder, files, words) => {
  await expect(filesIn(files, folder)).rejects.toThrow(BadArchive);
  await expect(filesIn(files, folder)).rejects.toThrow(words);
});
