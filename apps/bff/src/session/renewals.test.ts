import { testClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { expect, test } from 'vitest';
import { renewals } from './renewals.ts';

test('a renewal that gave no time is repeated after its pause, also if the clock was set back', async () => {
  const clock = testClock();
  let asked = 0;
  const renew = async () => {
    asked += 1;
    return null;
  };
  const renewing = renewals({
    directory: { service: () => ({ renew }) } as never,
    connections: {} as never,
    sessions: { prolong: () => Promise.resolve() },
    clock,
    log: silentLog,
  });
  const use = async (): Promise<number> => {
    const now = clock.now();
    const token = {
      token: 'x',
      tokenId: 't',
      accountId: 'u',
      since: now - 900_000,
      expiresAt: now + 600_000,
    };
    renewing.keepAlive('s', 'test', 'secrets', token);
    await renewing.settled();
    return asked;
  };
  expect(await use()).toBe(1);
  clock.setWall(clock.now() - 3_600_000);
  expect(await use()).toBe(1);
  clock.advance(60_000);
  expect(await use()).toBe(2);
});
