import { expect, test } from 'vitest';
import { replacementHref } from './deprecation-words.ts';

const place = { environment: 'local', namespace: 'acme', name: 'vpc', provider: 'aws' };
const to = (replacement: string) => replacementHref(place, replacement, ['2.0.0', '1.0.0']);

test('links replacements that are versions or modules, and shows others as text', () => {
  expect(to('2.0.0')).toBe('/local/modules/acme/vpc/aws?version=2.0.0');
  expect(to('acme/network/google')).toBe('/local/modules/acme/network/google');
  expect(to('modules.example.com/acme/network/aws@3.1.0')).toBe(
    '/local/modules/acme/network/aws?version=3.1.0',
  );
  for (const text of ['', '9.9.9', 'ask the network team', 'https://example.com/a', 'a/b', '../x/y'])
    expect(to(text)).toBeUndefined();
});
