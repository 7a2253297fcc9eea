import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { foundToken, leaseRenewed, versionMetadata } from './secrets-server.ts';

test('accepts missing or null custom metadata, and refuses metadata that would lose a key', () => {
  const read = (text: string) =>
    z.safeParse(versionMetadata, { version: 1, created_time: '', ...(JSON.parse(text) as object) }).data
      ?.custom_metadata;
  expect(read('{}')).toEqual({});
  expect(read('{"custom_metadata":null}')).toEqual({});
  expect(read('{"custom_metadata":{"a":"1"}}')).toEqual({ a: '1' });
  expect(read('{"custom_metadata":{"__proto__":"1","a":"1"}}')).toBeUndefined();
});

test.each([
  [Number.MAX_VALUE, 100 * 365 * 86_400],
  [1.001, 2],
  [-Number.MAX_VALUE, 0],
  [null, 0],
])('reads a duration of %s seconds as %s', (lease_duration, expected) => {
  expect(z.parse(leaseRenewed, { renewable: true, lease_duration }).lease_duration).toBe(expected);
});

test('reads a time that no date can have as the end of the year 9999', () => {
  const { data } = z.parse(foundToken, { data: { accessor: 'a', creation_time: 1e300 } });
  expect(new Date(data.creation_time * 1000).toISOString()).toBe('9999-12-31T23:59:59.000Z');
});
