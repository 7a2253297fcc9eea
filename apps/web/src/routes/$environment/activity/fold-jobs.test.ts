import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import { expect, test } from 'vitest';
import { foldJobs } from './fold-jobs.ts';

function entry(
  sequence: number,
  action: string,
  id: string,
  {
    request = `r_${String(sequence)}`,
    path = '',
    person = 'p_1',
    outcome = 'succeeded',
  }: Partial<Record<'request' | 'path' | 'person', string>> & Partial<Pick<ActivityEntry, 'outcome'>> = {},
): ActivityEntry {
  return {
    sequence,
    time: '2026-11-28T12:00:00.000Z',
    environment: 'local',
    service: 'boxes',
    person: { id: person, name: 'Ada', login_name: 'ada' },
    address: '127.0.0.1',
    action,
    resource: { kind: action.slice(0, action.indexOf('.')), id, name: '' },
    paths: path === '' ? [] : [path],
    decisions: [],
    revision_before: null,
    revision_after: null,
    outcome,
    outcome_time: null,
    problem: null,
    request_id: request,
    can_settle: false,
    hash: '',
  };
}

const entries = [
  entry(9, 'box-version.release', 'ada/lab/1', { request: 'r_8', path: 'part-of=publish-run.release' }),
  entry(8, 'publish-run.release', 'pr_1'),
  entry(7, 'target.update', 't_2', { request: 'r_5', path: 'part-of=target.update-many' }),
  entry(6, 'target.update', 't_1', { request: 'r_5', path: 'part-of=target.update-many' }),
  entry(5, 'target.update-many', '', { path: 'description' }),
  entry(4, 'target.update', 't_1', { path: 'name' }),
  entry(3, 'publish-run.create', 'pr_2'),
  entry(2, 'box.create', 'ada/lab', { request: 'r_1', path: 'part-of=publish-run.box' }),
  entry(1, 'publish-run.box', 'pr_1'),
  entry(0, 'publish-upload.create', 'pr_1'),
];
const shown = (open: readonly string[], given = entries) =>
  foldJobs(given, new Set(open)).map(({ sequence, job, isPart }) => [sequence, job?.others ?? isPart]);

test('a job is one row, at the place of its newest entry', () => {
  expect(shown([])).toEqual([
    [8, 4],
    [5, 2],
    [4, undefined],
    [3, undefined],
  ]);
});

test('the other entries of an open job are below it', () => {
  expect(shown(['pr_1'])).toEqual([
    [8, 4],
    [9, true],
    [2, true],
    [1, true],
    [0, true],
    [5, 2],
    [4, undefined],
    [3, undefined],
  ]);
});

test('parts whose whole is not loaded stand for themselves, and requests with the same ID stay apart', () => {
  expect(shown([], [...entries.slice(2, 4), entry(1, 'target.delete', 't_9', { request: 'r_5' })])).toEqual([
    [7, 1],
    [1, undefined],
  ]);
});

test('a lock-out is one row with what it canceled, which nobody else can join', () => {
  const request = 'r_1';
  const lockOut = [
    entry(2, 'session.cancel', 's_1', { request, path: 'part-of=person.lock-out' }),
    entry(1, 'person.lock-out', 'u_1', { request }),
  ];
  const others = [
    entry(5, 'person.lock-out', 'u_2', { request, person: 'p_2' }),
    entry(4, 'console-session.sign-in', '', { request, person: '' }),
    entry(3, 'console-session.sign-in', '', { request, person: '' }),
  ];
  expect(shown([], [...others, ...lockOut])).toEqual([
    [5, undefined],
    [4, undefined],
    [3, undefined],
    [1, 1],
  ]);
});

test.each(['refused', 'failed', 'unknown', 'pending'] as const)(
  "what others tried at a job, and is %s, is theirs and doesn't stand for the job",
  (outcome) => {
    const tried = [
      entry(7, 'move.abandon', 'mv_1', { person: 'p_2', outcome }),
      entry(6, 'move.pause', 'mv_1', { person: 'p_2', outcome }),
      entry(5, 'move.pause', 'mv_1', { person: '', outcome }),
    ];
    const own = [
      entry(3, 'move.start', 'mv_1', { outcome: 'failed' }),
      entry(2, 'box.create', 'ada/lab', { request: 'r_1', path: 'part-of=move.start', outcome: 'refused' }),
      entry(1, 'move.start', 'mv_1'),
    ];
    expect(shown(['mv_1'], [...tried, ...own])).toEqual([
      [7, 1],
      [5, undefined],
      [3, 2],
      [2, true],
      [1, true],
    ]);
    for (const action of ['publish-run.release', 'publish-upload.cancel'])
      expect(
        shown(
          [],
          [entry(9, action, 'pr_1', { person: 'p_2', outcome }), entry(8, 'publish-run.box', 'pr_1')],
        ),
      ).toEqual([
        [9, undefined],
        [8, undefined],
      ]);
  },
);

test('what is copied after a move was resumed is part of its row', () => {
  const copied = {
    ...entry(4, 'box.create', 'ada/lab', { request: 'r_3' }),
    paths: ['part-of=move.start', 'move=mv_1'],
  };
  const own = [
    entry(3, 'move.resume', 'mv_1'),
    entry(2, 'move.pause', 'mv_1'),
    entry(1, 'move.start', 'mv_1'),
  ];
  expect(shown([], [copied, ...own])).toEqual([[3, 3]]);
});

test('a move that someone else took over is one row, to which its former owner adds only successes', () => {
  const other = 'p_2';
  const before = [
    entry(4, 'move.resume', 'mv_1', { person: other }),
    entry(3, 'move.resume', 'mv_1', { person: other, outcome: 'refused' }),
    entry(2, 'move.pause', 'mv_1', { outcome: 'failed' }),
    entry(1, 'move.start', 'mv_1'),
  ];
  const late = entry(5, 'move.pause', 'mv_1', { outcome: 'refused' });
  expect(shown(['mv_1'], [late, ...before])).toEqual([
    [5, undefined],
    [4, 2],
    [2, true],
    [1, true],
    [3, undefined],
  ]);
  // Its successes may be on a page that isn't loaded yet.
  expect(shown([], [late, ...before.slice(1, 3)])).toEqual([
    [5, 1],
    [3, undefined],
  ]);
});
