import { dataValuesLimit } from '@gatehouse/api-types/console/secret-names';
import { Slices } from '@gatehouse/service-kit/slices';
import { expect, test } from 'vitest';
import { pathsOf } from '#audit/wish.ts';
import { checkData, checkEntries } from './data-text.ts';

/** The text of an object with an array, which counts as two values. */
const dataOf = (values: number): string => `{"a":[${'1,'.repeat(values - 3)}1]}`;

test('refuses data with too many values before reading all of them', () => {
  expect(() => checkData(dataOf(dataValuesLimit))).not.toThrow();
  // The text continues after the limit, and isn't read that far.
  const more = `${dataOf(dataValuesLimit + 1).slice(0, -2)},no value]}`;
  expect(() => checkData(more)).toThrow(
    expect.objectContaining({
      init: { fields: [{ path: 'data', message: expect.stringContaining('more than 20,000 values') }] },
    }),
  );
  // The trail's list of names isn't built either.
  expect(pathsOf({ data: dataOf(dataValuesLimit) })).toEqual(['data.a']);
  expect(pathsOf({ data: `{"b":2,${dataOf(dataValuesLimit + 1).slice(1)}` })).toEqual(['data']);
});

test('lets other requests run while checking many secrets, and ends when the client leaves', async () => {
  const data = dataOf(dataValuesLimit);
  const entries = Array.from({ length: 40 }, (_, at) => ({ path: `p${at}`, data }));
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await checkEntries(entries, new Slices(() => false, { name: 'ada', isKnown: true }));
  isDone = true;
  expect(turns).toBeGreaterThan(3);
  await expect(
    checkEntries(entries, new Slices(() => true, { name: 'ada', isKnown: true })),
  ).rejects.toMatchObject({ code: 'client_left' });
});
