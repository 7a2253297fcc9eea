import { expect, test } from 'vitest';
import { clientName } from './client-name.ts';

const safari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.1 Safari/605.1.15';

test.each([
  [safari, 'Safari 17 on macOS'],
  ['Mozilla/5.0 (iPhone) Version/17.1 Mobile/15E148 Safari/604.1', 'Safari 17 on iOS'],
  ['curl/8.5.0', 'curl 8'],
  ['something else', 'Unknown client'],
])('names the client of %j', (header, name) => {
  expect(clientName(header)).toBe(name);
});

test('reads only the start of a long User-Agent', () => {
  expect(clientName(`${'Version/1 '.repeat(3_000)}${safari}`)).toBe('Unknown client');
});
