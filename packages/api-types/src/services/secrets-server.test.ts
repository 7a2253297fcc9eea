import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { versionMetadata } from './secrets-server.ts';

test('accepts missing or null custom metadata, and refuses metadata that would lose a key', () => {
  const read = (text: string) =>
    z.safeParse(versionMetadata, { version: 1, created_time: '', ...(JSON.parse(text) as object) }).data
      ?.custom_metadata;
  expect(read('{}')).toEqual({});
  expect(read('{"custom_metadata":null}')).toEqual({});
  expect(read('{"custom_metadata":{"a":"1"}}')).toEqual({ a: '1' });
  expect(read('{"custom_metadata":{"__proto__":"1","a":"1"}}')).toBeUndefined();
});
