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

test('a token says what was put into it', () => {
  fc.assert(
    fc.property(position, fc.string(), fc.nat(), (given: ListPosition, query, now) => {
      expect(parseListToken(formatListToken(given, query, now), query, now)).toEqual(given);
    }),
  );
});

test('a token serves its own listing alone, and not for ever', () => {
  const token = formatListToken({ phase: 'listed', since: 7 }, 'one', 1000);
  expect(() => parseListToken(token, 'other', 1000)).toThrow('different parameters');
  expect(parseListToken(token, 'one', 1000 + listTokenLifetime)).toEqual({ phase: 'listed', since: 7 });
  expect(() => parseListToken(token, 'one', 1001 + listTokenLifetime)).toThrow('expired');
});

test('garbage is refused as such', () => {
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
