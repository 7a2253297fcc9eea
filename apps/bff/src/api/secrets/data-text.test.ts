import { dataValuesLimit } from '@gatehouse/api-types/console/secret-names';
import { Slices } from '@gatehouse/service-kit/slices';
import { expect, test } from 'vitest';
import { pathsOf } from '#audit/wish.ts';
import { checkData, checkEntries } from './data-text.ts';

/** The text of an object with an array, which are two of its values. */
const dataOf = (values: number): string => `{"a":[${'1,'.repeat(values - 3)}1]}`;

test('data of too many values is refused, before all of them are looked at', () => {
  expect(() => checkData(dataOf(dataValuesLimit))).not.toThrow();
  // More text follows than is one value: it is not reached.
  const more = `${dataOf(dataValuesLimit + 1).slice(0, -2)},no value]}`;
  expect(() => checkData(more)).toThrow(
    expect.objectContaining({
      init: { fields: [{ path: 'data', message: expect.stringContaining('more than 20,000 values') }] },
    }),
  );
  // Nor for what the trail says of it.
  expect(pathsOf({ data: dataOf(dataValuesLimit) })).toEqual(['data.a']);
  expect(pathsOf({ data: `{"b":2,${dataOf(dataValuesLimit + 1).slice(1)}` })).toEqual(['data']);
});

test('the check of many secrets lets others go on, and ends when its client has left', async () => {
  const data = dataOf(dataValuesLimit);
  const entries = Array.from({ length: 40 }, (_, at) => ({ path: `p${at}`, data }));
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await checkEntries(entries, new Slices(() => false));
  isDone = true;
  expect(turns).toBeGreaterThan(3);
  await expect(checkEntries(entries, new Slices(() => true))).rejects.toMatchObject({ code: 'client_left' });
});
