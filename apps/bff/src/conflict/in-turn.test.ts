import { writeFor } from '@gatehouse/service-kit/write-queue';
import { expect, test } from 'vitest';
import { inTurn } from './in-turn.ts';

const record = { environment: 'test', service: 'boxes', kind: 'box', id: 'a/b' };

test('does one thing to a record at a time, and lets owners take turns', async () => {
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const works = [
    inTurn({ ...record, owner: 'many' }, () => first.promise),
    ...['1', '2', '3'].map((name) => inTurn({ ...record, owner: 'many' }, async () => void done.push(name))),
    inTurn({ ...record, id: 'A/b', owner: 'many' }, async () => void done.push('in capitals')),
    inTurn({ ...record, owner: 'one' }, async () => void done.push('of another')),
  ];
  await inTurn({ ...record, id: 'another' }, async () => void done.push('elsewhere'));
  expect(done).toEqual(['elsewhere']);
  first.reject(new Error('failed'));
  await Promise.allSettled(works);
  expect(done.indexOf('of another')).toBeLessThan(3);
  expect(done.toSorted()).toEqual(['1', '2', '3', 'elsewhere', 'in capitals', 'of another']);
});

test('accounts take turns at a record whose work has no other owner', async () => {
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const works = ['reader', 'reader', 'reader', 'writer'].map((name) =>
    writeFor(
      () => ({ name }),
      () =>
        inTurn(record, async () => {
          await first.promise;
          done.push(name);
        }),
    ),
  );
  first.resolve();
  await Promise.all(works);
  expect(done).toEqual(['reader', 'writer', 'reader', 'reader']);
});
