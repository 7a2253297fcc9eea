import { expect, test } from 'vitest';
import { losingTargets } from './losing-targets.ts';

const reading = (names: readonly string[], more = false) => ({
  items: names.map((name) => ({ id: `t_${name}`, name })),
  more,
});
const breaks = (text: string) => ({ kind: 'breaks', text });
const unchecked = {
  kind: 'worth-knowing',
  text: 'Other targets may use this secret: not all targets could be checked.',
};

test('names the targets on which no session can be authorized, and counts those beyond five', () => {
  expect(losingTargets(reading(['db', '']), 'this secret')).toEqual([
    breaks('No session can be authorized on 2 targets any more: db, t_.'),
  ]);
  expect(
    losingTargets(
      reading(['a', 'b', 'c', 'd', 'e', 'f', 'g']),
      'this secret',
      ' until the secret is undeleted',
    ),
  ).toEqual([
    breaks('No session can be authorized on 7 targets until the secret is undeleted: a, b, c, d, e, 2 more.'),
  ]);
  for (const nothing of [undefined, reading([])]) expect(losingTargets(nothing, 'this secret')).toEqual([]);
});

test('says that other targets may use a record if not all could be checked', () => {
  expect(losingTargets(null, 'this secret')).toEqual([unchecked]);
  expect(losingTargets(reading(['db'], true), 'this secret')).toEqual([
    breaks('No session can be authorized on 1 target any more: db.'),
    unchecked,
  ]);
});
