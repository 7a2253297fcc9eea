import { turnsBefore } from '@gatehouse/service-kit/testing/turns-before';
import { expect, test } from 'vitest';
import { startSessionConsole } from '#test/session-console.ts';

test('asks for no new requests while it drains, and answers those that come', async () => {
  await using at = await startSessionConsole();
  const page = await at.signedIn();
  const health = async () => (await page.send('GET', '/healthz')).status;
  expect(await health()).toBe(200);
  at.console.bff.drain();
  expect(await health()).toBe(503);
  expect((await page.send('GET', '/api/session')).status).toBe(200);
});

test('answers a health probe in its turn while users wait for theirs', async () => {
  await using at = await startSessionConsole();
  const page = at.console.browser();
  expect(await turnsBefore(() => page.send('GET', '/healthz'), true)).toBe(20);
});
