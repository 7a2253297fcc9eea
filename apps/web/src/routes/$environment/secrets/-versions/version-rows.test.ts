import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import type { VersionSummary } from '@gatehouse/api-types/console/secret-metadata';
import { describe, expect, test } from 'vitest';
import { prunedCount, timeOfWrite, versionAuthors, versionRows } from './version-rows.ts';

const version = (number: number, minute: number): VersionSummary => ({
  version: number,
  state: 'readable',
  created_time: `2026-11-20T10:${String(minute).padStart(2, '0')}:00.123456789Z`,
  deletion_time: '',
});

const entry = (
  revision: string | null,
  minute: number,
  rest: Partial<ActivityEntry> = {},
): ActivityEntry => ({
  sequence: 1,
  time: `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`,
  environment: 'production',
  service: 'secrets',
  person: { id: 'u1', name: 'Ana', login_name: 'ana' },
  address: '',
  action: 'secret.update',
  resource: { kind: 'secret', id: 'secret/app', name: 'app' },
  paths: [],
  decisions: [],
  revision_before: null,
  revision_after: revision,
  outcome: 'succeeded',
  outcome_time: `2026-11-20T10:${String(minute).padStart(2, '0')}:01.000Z`,
  problem: null,
  request_id: 'r',
  can_settle: false,
  hash: '',
  ...rest,
});

describe("a secret's versions", () => {
  const versions = [version(9, 30), version(8, 20), version(6, 10)];

  test('show when they were superseded, if the next version still exists', () => {
    const rows = versionRows({ versions, current_version: 9 }, new Map([[8, 'Ana']]));
    expect(rows.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false]);
    expect(rows.map(({ supersededTime }) => supersededTime)).toEqual([null, versions[0]?.created_time, null]);
    expect(rows.map(({ author }) => author)).toEqual([null, 'Ana', null]);
    expect(prunedCount({ versions, current_version: 9 })).toBe(6);
  });

  test('show the author from the audit trail if number and time match', () => {
    const entries = [
      entry('9', 30),
      // From an earlier secret at this path: the number matches, the time doesn't.
      entry('8', 5, { person: { id: 'u2', name: 'Bo', login_name: 'bo' } }),
      entry('6', 10, { action: 'secret.delete' }),
      entry('6', 10, { outcome: 'refused' }),
      entry(null, 10),
    ];
    expect([...versionAuthors(entries, versions)]).toEqual([[9, 'Ana']]);
  });

  test('have their author among the entries of the time in which they were written', () => {
    const [newest = version(9, 30)] = versions;
    const { from = '', to = '' } = timeOfWrite(newest) ?? {};
    const isRead = ({ time }: ActivityEntry) => time >= from && time < to;
    const at = (time: string) => entry('9', 30, { time });
    for (const time of ['2026-11-20T10:30:00.000Z', '2026-11-20T10:31:00.123Z', '2026-11-20T10:27:00.000Z']) {
      expect([isRead(at(time)), versionAuthors([at(time)], versions).get(9)]).toEqual([true, 'Ana']);
    }
    const later = at('2026-11-20T10:31:00.124Z');
    expect([isRead(later), versionAuthors([later], versions).size]).toEqual([false, 0]);
    expect(isRead(at('2026-11-20T10:20:00.000Z'))).toBe(false);
    expect(timeOfWrite({ created_time: '' })).toBeUndefined();
  });

  test('say which version they restored', () => {
    const restoring = entry('9', 30, { action: 'secret.restore', paths: ['version=6'] });
    expect(versionAuthors([restoring], versions).get(9)).toBe('Ana, restoring version 6');
  });
});
