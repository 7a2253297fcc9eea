import { expect, test } from 'vitest';
import { pathsWithin } from './trail.ts';

test('an entry keeps 1,000 paths and 32 KiB of them, and says how many others there were', () => {
  const short = Array.from({ length: 1_001 }, (_, at) => `f${at}`);
  expect(pathsWithin(short.slice(0, 1_000))).toEqual(short.slice(0, 1_000));
  expect(pathsWithin(short)).toEqual([...short.slice(0, 999), 'and 2 more']);
  const long = Array.from({ length: 80 }, () => 'x'.repeat(512));
  expect(pathsWithin(long.slice(0, 64))).toEqual(long.slice(0, 64));
  expect(pathsWithin(long)).toEqual([...long.slice(0, 64), 'and 16 more']);
});
