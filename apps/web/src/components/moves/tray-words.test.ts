import { expect, test } from 'vitest';
import { testMove } from './test-move.ts';
import { movesInTray, moveTrayItem, trayStateOf } from './tray-words.ts';

test("shows the user's active and waiting moves, and ended ones if the page saw them active", () => {
  const moves = [
    testMove({ id: 'mv_1', state: 'copying' }),
    testMove({ id: 'mv_2', state: 'paused' }),
    testMove({ id: 'mv_3', state: 'done' }),
    testMove({ id: 'mv_4', state: 'done' }),
    testMove({ id: 'mv_5', state: 'planned' }),
    testMove({ id: 'mv_6', state: 'copying', owner: { person: 'bo', name: 'bo', is_you: false } }),
    testMove({ id: 'mv_7', state: 'abandoned' }),
  ];
  const shown = movesInTray(moves, new Set(['mv_4', 'mv_6', 'mv_7']));
  expect(shown.map(({ id }) => id)).toEqual(['mv_1', 'mv_2', 'mv_4']);
});

test('shows the progress, and why a move makes none', () => {
  const bytes = { total: 100, copied: 37, unknown: 0 };
  expect(moveTrayItem(testMove({ state: 'copying', bytes }))).toMatchObject({
    title: 'Boxes from vagrantcloud.com',
    text: '37 %, copying',
    spoken: '25 %, copying',
    look: 'busy',
  });
  const waiting = testMove({ state: 'copying', bytes, waits_until: '2026-11-23T14:00:00Z' });
  expect(moveTrayItem(waiting).text).toBe('37 %, copying, waiting for vagrantcloud.com');
  const planning = testMove({ state: 'planning', planning: { read: 12, found: 88 } });
  expect(moveTrayItem(planning)).toMatchObject({ text: 'reading, 12 of 88', spoken: 'reading, 0 %' });
  const pause = { detail: '', while: 'copying' } as const;
  const paused = testMove({ state: 'paused', bytes, pause: { ...pause, reason: 'person' } });
  expect(moveTrayItem(paused)).toMatchObject({ text: '37 %, paused', look: 'waiting' });
  const stopped = testMove({ state: 'paused', bytes, pause: { ...pause, reason: 'token-ended' } });
  expect(moveTrayItem(stopped).look).toBe('failed');
  expect(trayStateOf(stopped)).not.toBe(trayStateOf(paused));
  expect(moveTrayItem(testMove({ state: 'done', pieces: { failed: 1 } })).look).toBe('failed');
});
