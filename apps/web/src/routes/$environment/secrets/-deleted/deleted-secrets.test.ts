import { describe, expect, test } from 'vitest';
import { afterFound, foundInWords, nothingFound, nothingInWords } from '../walk.ts';
import { withoutBack, type DeletedSecret } from './deleted-secrets.ts';

const deleted = {
  kind: 'deleted',
  path: 'app/db',
  revision: '3',
  newest: true,
  versions: [{ version: 3, created_time: '', deletion_time: '' }],
} as const;

describe('searching the recycle bin', () => {
  test("collects results and folders it couldn't search", () => {
    const first = afterFound<DeletedSecret>(nothingFound, [
      { kind: 'progress', folders_read: 1, folders_waiting: 4, secrets: 20 },
      { ...deleted, versions: [...deleted.versions] },
    ]);
    expect(foundInWords('running', first)).toBe('Searched 20 secrets in 1 folder, 4 folders to go.');
    const last = afterFound(first, [
      { kind: 'denied', path: 'hidden', folder: true },
      { ...deleted, path: 'b', versions: [...deleted.versions] },
      { kind: 'end', folders_read: 5, secrets: 80, found: 2, denied: 1, limited: false },
    ]);
    expect(last.secrets.map(({ path }) => path)).toEqual(['app/db', 'b']);
    expect(last.denied).toEqual(['hidden/']);
    // Unsearched folders may contain more.
    expect(foundInWords('done', last)).toBe('Searched 80 secrets in 5 folders.');
    expect(foundInWords('done', { ...last, denied: [] })).toContain('Searched all 80');
    expect(nothingInWords('done', last, 'None.')).toBe(
      'Nothing was found in the folders that could be searched.',
    );
    expect(nothingInWords('done', { ...last, denied: [] }, 'None.')).toBe('None.');
    expect(nothingInWords('stopped', last, 'None.')).toBe('Nothing was found before the search ended.');
    expect(foundInWords('done', { ...last, isLimited: true })).toContain('Stopped after 2 results');
  });

  test('keeps its results after a failure', () => {
    const found = afterFound<DeletedSecret>(nothingFound, [
      { ...deleted, versions: [...deleted.versions] },
      { kind: 'failed', code: 'service-sealed', detail: 'It is sealed.' },
    ]);
    expect(found).toMatchObject({ failure: 'It is sealed.', secrets: [{ path: 'app/db' }] });
    expect(afterFound(found, [])).toEqual(found);
  });

  test("leaves the versions that aren't undeleted yet", () => {
    const version = (number: number) => ({ version: number, created_time: '', deletion_time: '' });
    const secret = {
      kind: 'deleted' as const,
      path: 'a',
      revision: '3',
      newest: true,
      versions: [version(3), version(1)],
    };
    expect(withoutBack([secret], new Map([['a', [3]]]))).toEqual([
      { ...secret, newest: false, versions: [version(1)] },
    ]);
    expect(withoutBack([secret], new Map([['a', [1, 3]]]))).toEqual([]);
    expect(withoutBack([secret], new Map([['b', [3]]]))).toEqual([secret]);
  });
});
