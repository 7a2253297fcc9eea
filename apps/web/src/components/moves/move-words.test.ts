import { expect, test } from 'vitest';
import { hostOf, shareDone, stateWords } from './move-state.ts';
import {
  abandonedWords,
  bytesWords,
  chosenWords,
  copiedWords,
  leftWords,
  nothingToCopy,
  rateWords,
  releasesWords,
  startSentence,
  versionsWords,
  waitWords,
} from './move-words.ts';
import { testMove } from './test-move.ts';

const now = Date.parse('2026-11-23T14:00:00Z');

test('describes what starting a move does', () => {
  const move = testMove({
    pieces: { missing: 1240 },
    // One of them has no versions, and one could not be read.
    items: { chosen: 90, unread: 1, to_copy: 88 },
    bytes: { total: 312e9, copied: 0, unknown: 0 },
  });
  expect(startSentence(move, 'the box registry of Production', 'alice')).toBe(
    'Copy 1,240 images of 88 boxes, 312 GB, to the box registry of Production as alice.',
  );
  expect(startSentence(testMove({}), 'x', 'alice')).toBeUndefined();
});

test('warns if clients get copies immediately, because they are added to releases', () => {
  expect(releasesWords(testMove({ joined_releases: 2 }))).toBe(
    'This move adds images to 2 versions already released here. Clients get them immediately.',
  );
  expect(releasesWords(testMove({}))).toBeUndefined();
});

test('says whether everything is here if there is nothing to copy', () => {
  const items = { total: 2, chosen: 2 };
  expect(nothingToCopy(testMove({ items, pieces: { here: 2 } }))).toBe(
    'Nothing is missing: all chosen images are here.',
  );
  for (const left of [
    { pieces: { clash: 1 } },
    { pieces: { 'not-copied': 1 } },
    { items: { ...items, unread: 1 } },
  ])
    expect(nothingToCopy(testMove({ items, ...left }))).toContain('The list shows why');
  expect(nothingToCopy(testMove({ items: { total: 2 } }))).toBe('No boxes are chosen.');
});

test('counts the boxes of which images were copied', () => {
  const items = { chosen: 4, copied: 3 };
  expect(copiedWords(testMove({ items, pieces: { copied: 4 } }))).toBe(
    '4 images of 3 boxes were copied and verified.',
  );
  expect(copiedWords(testMove({ items: { chosen: 1 } }))).toBe('Nothing was copied.');
});

test('says whether an abandoned move left anything here', () => {
  expect(abandonedWords(testMove({ pieces: { here: 2 } }))).toBe('The move had nothing to copy.');
  expect(abandonedWords(testMove({ pieces: { missing: 2 } }))).toBe(
    'The move was abandoned before anything was copied.',
  );
  expect(abandonedWords(testMove({ pieces: { missing: 1, copied: 1 } }))).toBe(
    'The move was abandoned before everything was copied. The images that were copied stay here.',
  );
});

test('reports sizes that the source omits as unknown', () => {
  expect(bytesWords(testMove({ bytes: { total: 0, copied: 0, unknown: 4 } }))).toBe('size unknown');
  expect(bytesWords(testMove({ bytes: { total: 2000, copied: 0, unknown: 1 } }))).toBe(
    '2.0 kB and 1 image of unknown size',
  );
});

test('measures progress in bytes, or in images if sizes are unknown', () => {
  const pieces = { copied: 1, failed: 1, waiting: 2 };
  expect(shareDone(testMove({ pieces, bytes: { total: 100, copied: 25, unknown: 0 } }))).toBe(0.25);
  expect(shareDone(testMove({ pieces, bytes: { total: 100, copied: 25, unknown: 1 } }))).toBe(0.5);
  expect(shareDone(testMove({}))).toBe(1);
});

test('names a source that requested a wait until the time is over', () => {
  const waiting = testMove({ waits_until: '2026-11-23T14:00:40Z' });
  expect(waitWords(waiting, now)).toBe('vagrantcloud.com asked the console to wait 40 s');
  expect(waitWords(waiting, now + 40_000)).toBeUndefined();
  expect(waitWords(testMove({}), now)).toBeUndefined();
});

test('formats rates, times and choices', () => {
  expect(rateWords(12_400_000)).toBe('12.4 MB/s');
  expect(leftWords(180)).toBe('about 3 min left');
  expect(leftWords(1)).toBe('under 5 s left');
  expect(hostOf('https://boxes.example.com:8300/v')).toBe('boxes.example.com:8300');
  expect(chosenWords('boxes', { chosen: 3, total: 3 })).toBe('All 3 boxes');
  expect(chosenWords('boxes', { chosen: 1, total: 1 })).toBe('1 box');
  expect(chosenWords('boxes', { chosen: 0, total: 0 })).toBe('None');
  expect(chosenWords('modules', { chosen: 2, total: 1200 })).toBe('2 of 1,200 modules');
  expect(versionsWords({ kind: 'since', version: '1.2.0' })).toBe('1.2.0 and later');
});

test('includes failures in the outcome, and the reason in a pause', () => {
  expect(stateWords(testMove({ state: 'done' })).word).toBe('Done');
  expect(stateWords(testMove({ state: 'done', pieces: { failed: 2 } }))).toMatchObject({
    word: 'Done, 2 failed',
    tone: 'warn',
  });
  expect(stateWords(testMove({ state: 'done', items: { unread: 1 } })).word).toBe('Done, 1 not read');
  expect(stateWords(testMove({ state: 'planned', pieces: { here: 1 } })).word).toBe('Nothing to copy');
  expect(stateWords(testMove({ state: 'planned', pieces: { missing: 1 } })).word).toBe('Ready to copy');
  const pause = { reason: 'unreachable', detail: '', while: 'copying' } as const;
  expect(stateWords(testMove({ state: 'paused', pause })).word).toBe('Paused: no response');
});
