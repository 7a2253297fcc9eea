import { accessSessions } from '@gatehouse/api-types/console/access-sessions';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byNameSearch } from './by-name-search.ts';
import { bodyOf, byNameAsCode, problemsFrom, problemsOf, type ByNameFields } from './by-name.ts';

const anyFields: fc.Arbitrary<ByNameFields> = fc.record({
  name: fc.string(),
  scopeBy: fc.constantFrom('id', 'name'),
  scope: fc.string(),
  host: fc.string(),
});

test('a form without problems is valid in the contract, and no other is', () => {
  fc.assert(
    fc.property(anyFields, (fields) => {
      const isSound = Object.keys(problemsOf(fields)).length === 0;
      expect(accessSessions.authorizeByName.body.safeParse(bodyOf(fields)).success).toBe(isSound);
    }),
  );
});

test('the address fills in the form, and other parameters are ignored', () => {
  expect(byNameSearch.parse({ name: 'db', scope: 'p_1', scope_name: 'both', x: 1 })).toEqual({
    name: 'db',
    scope: 'p_1',
  });
  expect(byNameSearch.parse({ name: 42, scope: '<b>' })).toEqual({ name: '42' });
});

test('an error is shown at its field', () => {
  expect(
    problemsFrom([
      { path: 'scope_name', message: 'Several.' },
      { path: 'host_id', message: 'No such host.' },
    ]),
  ).toEqual({ scope: 'Several.', host: 'No such host.' });
});

test('writes the request as a command and a request', () => {
  const { cli, http, terraform } = byNameAsCode({ name: 'db 1', scopeBy: 'name', scope: 'pay', host: '' });
  expect(cli?.replaceAll(/\s*\\\n\s*/g, ' ')).toBe(
    "boundary targets authorize-session -name='db 1' -scope-name=pay",
  );
  expect(http).toContain('/v1/targets/db%201:authorize-session');
  expect(terraform).toBeUndefined();
});
