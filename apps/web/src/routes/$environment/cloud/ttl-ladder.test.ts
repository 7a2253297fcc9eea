import { cloudCredentialTypes } from '@gatehouse/api-types/console/cloud-values';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ttlLadder, ttlWarning, type TtlRequest } from './ttl-ladder.ts';

const hour = 3600;

test.each([
  ['what is asked for', { requested: '2h', defaultTtl: hour, maxTtl: 4 * hour }, 'requested', 2 * hour],
  ['the default of the role', { defaultTtl: 2 * hour, maxTtl: 4 * hour }, 'default', 2 * hour],
  ['one hour where nothing is set', { defaultTtl: 0, maxTtl: 0 }, 'default', hour],
  ['the maximum of the role', { requested: '10h', defaultTtl: hour, maxTtl: 4 * hour }, 'maximum', 4 * hour],
  ['the maximum over the usual hour', { defaultTtl: 0, maxTtl: 1800 }, 'maximum', 1800],
  ['the provider', { requested: '20h', defaultTtl: 0, maxTtl: 24 * hour }, 'provider', 12 * hour],
  [
    'the default where no time is written',
    { requested: 'soon', defaultTtl: 1800, maxTtl: 0 },
    'default',
    1800,
  ],
] as const)('%s decides', (_, times, winner, seconds) => {
  const ladder = ttlLadder({ type: 'assumed_role', ...times });
  expect(ladder?.seconds).toBe(seconds);
  expect(ladder?.rungs.filter(({ wins }) => wins).map(({ id }) => id)).toEqual([winner]);
});

test('an IAM user has no ladder, and a federation token can outlast an assumed role', () => {
  const times = { requested: '48h', defaultTtl: 0, maxTtl: 0 };
  expect(ttlLadder({ type: 'iam_user', ...times })).toBeUndefined();
  expect(ttlLadder({ type: 'federation_token', ...times })?.seconds).toBe(36 * hour);
});

test.each([
  ['assumed_role', '13h', /maximum is 12 hours/],
  ['assumed_role', '12h', undefined],
  ['federation_token', '37h', /maximum is 36 hours/],
  ['federation_token', '5m', /minimum is 15 minutes/],
  ['federation_token', '', undefined],
  ['iam_user', '99h', undefined],
] as const)("reports if %s can't last %s", (type, ttl, words) => {
  if (words === undefined) expect(ttlWarning(type, ttl)).toBeUndefined();
  else expect(ttlWarning(type, ttl)).toMatch(words);
});

const request: fc.Arbitrary<TtlRequest> = fc.record({
  type: fc.constantFrom(...cloudCredentialTypes),
  requested: fc.oneof(
    fc.string(),
    fc.integer({ min: 0, max: 200_000 }).map((count) => `${String(count)}s`),
  ),
  defaultTtl: fc.nat(200_000),
  maxTtl: fc.nat(200_000),
});

test('exactly one rung wins, and no limit is exceeded', () => {
  fc.assert(
    fc.property(request, (given) => {
      const ladder = ttlLadder(given);
      if (ladder === undefined) return;
      const winners = ladder.rungs.filter(({ wins }) => wins);
      expect(winners.map(({ seconds }) => seconds)).toEqual([ladder.seconds]);
      for (const { id, seconds } of ladder.rungs) {
        if (id === 'maximum' || id === 'provider')
          expect(ladder.seconds).toBeLessThanOrEqual(seconds ?? Infinity);
      }
    }),
  );
});
