import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatListToken, listTokenLifetime, parseListToken } from './list-token.ts';
import type { ListPosition } from './list-token.ts';
import { Refusal } from './refusal.ts';

const position = fc.oneof(
  fc.record({ phase: fc.constant('listed' as const), since: fc.nat() }),
  fc.record({
    phase: fc.constant('listing' as const),
    since: fc.nat(),
    after: fc.record({ createdTime: fc.nat(), id: fc.string() }),
  }),
  fc.record({
    phase: fc.constant('refreshing' as const),
    since: fc.nat(),
    until: fc.nat(),
    before: fc.nat(),
  }),
);

test('reads back the position in a token', () => {
  fc.assert(
    fc.property(position, fc.string(), fc.nat(), (given: ListPosition, query, now) => {
      expect(parseListToken(formatListToken(given, query, now), query, now)).toEqual(given);
    }),
  );
});

test('refuses a token for another listing or after its lifetime', () => {
  const token = formatListToken({ phase: 'listed', since: 7 }, 'one', 1000);
  expect(() => parseListToken(token, 'other', 1000)).toThrow('different parameters');
  expect(parseListToken(token, 'one', 1000 + listTokenLifetime)).toEqual({ phase: 'listed', since: 7 });
  expect(() => parseListToken(token, 'one', 1001 + listTokenLifetime)).toThrow('expired');
});

test('refuses text that is no token', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
      ),
      (text) => {
        expect(() => parseListToken(text, 'q', 0)).toThrow(Refusal);
      },
    ),
    { numRuns: 1000 },
  );
});
