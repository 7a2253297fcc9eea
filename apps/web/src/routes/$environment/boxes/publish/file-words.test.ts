import { expect, test } from 'vitest';
import { fileWords } from './file-words.ts';

const draft = { name: 'virtualbox', architecture: 'amd64' };
const titleOf = (...given: Parameters<typeof fileWords>) => fileWords(...given)?.title;

test('names the provider or the architecture of a file if it is another', () => {
  const found = { state: 'found', provider: 'virtualbox', architecture: 'amd64' } as const;
  expect(fileWords(found, draft)).toBeUndefined();
  expect(fileWords({ ...found, architecture: '' }, draft)).toBeUndefined();
  expect(fileWords(found, { name: '', architecture: '' })).toBeUndefined();
  expect(titleOf({ ...found, provider: 'libvirt' }, draft)).toBe('This file is for libvirt, not virtualbox');
  expect(titleOf({ ...found, architecture: 'arm64' }, draft)).toBe('This file is for arm64, not amd64');
  expect(titleOf({ ...found, provider: '' }, draft)).toMatch(/names no provider/);
});

test('says that a file is no box, or that it was not checked', () => {
  const nothing = { provider: '', architecture: '' };
  expect(titleOf({ ...nothing, state: 'missing' }, draft)).toBe('This file has no metadata.json');
  expect(titleOf({ ...nothing, state: 'unreadable' }, draft)).toBe("This file can't be read as a box");
  expect(fileWords({ ...nothing, state: 'unchecked' }, draft)).toMatchObject({
    tone: 'info',
    title: 'The content of this file was not checked',
  });
});
