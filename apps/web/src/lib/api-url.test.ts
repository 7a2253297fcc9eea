import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apiUrl } from './api-url.ts';

const endpoint = { path: '/api/environments/:environment/access/targets/:id' } as const;

test('encodes each parameter as one segment, and omits undefined query values', () => {
  expect(
    apiUrl(endpoint, { environment: 'production', id: 'a/b?c#d%' }, { a: 1, b: undefined, c: true }),
  ).toBe('/api/environments/production/access/targets/a%2Fb%3Fc%23d%25?a=1&c=true');
});

test.each(['', '.', '..'])('refuses the segment %j, which browsers resolve', (id) => {
  expect(() => apiUrl(endpoint, { environment: 'production', id }, {})).toThrow(RangeError);
});

test('no parameter can address another operation', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
      fc.pre(id !== '.' && id !== '..' && id.isWellFormed());
      const url = new URL(apiUrl(endpoint, { environment: 'production', id }), 'https://console.example');
      const segments = url.pathname.split('/');
      expect(segments.slice(0, 6)).toEqual(['', 'api', 'environments', 'production', 'access', 'targets']);
      expect(segments.slice(6).map((segment) => decodeURIComponent(segment))).toEqual([id]);
      expect([url.search, url.hash]).toEqual(['', '']);
    }),
  );
});
