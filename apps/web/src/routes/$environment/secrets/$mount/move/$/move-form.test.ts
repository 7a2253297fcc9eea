import { describe, expect, test } from 'vitest';
import {
  destinationProblem,
  plannedMoves,
  type FoundThere,
  reasonAgainstTaking,
  revivedInWords,
  revivedSecrets,
  titleOf,
  transferOf,
  verbOf,
} from './move-form.ts';

const from = { mount: 'secret', path: 'app/db' };
const form = { mode: 'move', mount: 'secret', path: 'app/database', versions: 'all' } as const;

describe('a move', () => {
  test("rejects destinations it can't use", () => {
    expect(destinationProblem('secret', from, form)).toBeUndefined();
    expect(destinationProblem('secret', from, from)).toContain('already');
    expect(destinationProblem('secret', from, { mount: 'kv', path: 'app/db' })).toBeUndefined();
    expect(destinationProblem('folder', from, { mount: 'secret', path: 'app/db/old' })).toContain(
      'into itself',
    );
    expect(destinationProblem('secret', from, { mount: 'secret', path: 'app/db/old' })).toBeUndefined();
    expect(destinationProblem('folder', from, { mount: 'secret', path: 'app/db2' })).toBeUndefined();
    expect(destinationProblem('secret', from, { mount: 'kv', path: '' })).toContain('Enter a name');
    expect(destinationProblem('secret', from, { mount: 'kv', path: 'a//b' })).toBeDefined();
  });

  test('requires permission to read, and for a move to delete the source', () => {
    const may = { read: true, delete_forever: false };
    expect(reasonAgainstTaking(may, 'copy')).toBeUndefined();
    expect(reasonAgainstTaking(may, 'move')).toContain('You can only copy it');
    expect(reasonAgainstTaking({ read: false, delete_forever: true }, 'copy')).toContain(
      "read this secret's values",
    );
    expect(reasonAgainstTaking(null, 'move')).toBeUndefined();
  });

  test('within a folder is a rename', () => {
    expect(verbOf(from, form)).toBe('Rename');
    expect(verbOf(from, { ...form, mode: 'copy' })).toBe('Copy');
    expect(verbOf(from, { ...form, mount: 'kv' })).toBe('Move');
    expect(verbOf(from, { ...form, path: 'database' })).toBe('Move');
    expect(titleOf('folder', from, { ...form, path: 'x' })).toBe('Move secret/app/db/ to secret/x/');
  });

  test('sends the version you saw, for a single secret', () => {
    expect(transferOf('secret', from, form, '7')).toMatchObject({
      revision: '7',
      to: { path: 'app/database' },
    });
    expect(transferOf('folder', from, form, '7')).not.toHaveProperty('revision');
    expect(transferOf('secret', from, form, '0')).not.toHaveProperty('revision');
  });

  test("lists each secret's destination, conflicts first", () => {
    expect(
      plannedMoves(['app/db/b', 'app/db/x/b', 'app/db/a'], 'app/db', 'new', {
        secrets: ['new/x/b'],
        denied: [],
      }),
    ).toEqual([
      { from: 'app/db/x/b', to: 'new/x/b', isTaken: true },
      { from: 'app/db/a', to: 'new/a', isTaken: false },
      { from: 'app/db/b', to: 'new/b', isTaken: false },
    ]);
    const isTaken = (there?: FoundThere) =>
      plannedMoves(['a/x', 'a/y/z'], 'a', 'b', there).map((move) => [move.to, move.isTaken]);
    expect(isTaken()).toEqual([
      ['b/x', undefined],
      ['b/y/z', undefined],
    ]);
    expect(isTaken({ secrets: [], denied: ['b/y'] })).toEqual([
      ['b/x', false],
      ['b/y/z', undefined],
    ]);
  });
});

test('names the secrets whose older version becomes current, 20 at most', () => {
  const deleted = (path: string, revision: string, count: number) => ({
    path,
    revision,
    versions: Array.from({ length: count }),
  });
  const found = [deleted('a', '3', 1), deleted('nothing-left', '2', 2), deleted('b', '2', 1)];
  expect(revivedSecrets(found)).toEqual(['a', 'b']);
  expect(revivedInWords(['a', 'b'])).toContain(': a, b. At the new path,');
  const many = Array.from({ length: 1022 }, (_, index) => `s${String(index)}`);
  expect(revivedInWords(many)).toContain('s18, s19 and 1,002 more. At the new path,');
  expect(revivedInWords(many.slice(0, 20))).toContain('s18, s19. At the new path,');
});
