import { testPassword } from '@gatehouse/secrets-server/testing/server';
import { expect, test, vi } from 'vitest';
import { signInAs } from '#test/console.ts';
import { changeAt, connectTo, replicationAt, startReplication, statusOf } from '#test/replication.ts';

const ofSecond = { is_secondary: true, primary: 'test', environments: ['test'] };

async function startTwo() {
  const live = await startReplication(2, 'production');
  const admin = await live.signedIn();
  return {
    live,
    admin,
    replicasOf: async (environment: string) =>
      (await admin.send('GET', replicationAt(environment, '/replicas'))).json['replicas'],
    async replicate() {
      await changeAt(admin, 'test', 'enable-primary', {});
      await changeAt(admin, 'second', 'add-secondary', { primary: 'test', id: 'eu' });
      await vi.waitFor(() => connectTo(admin, 'second'), { timeout: 40_000, interval: 20 });
      live.console.clock.advance(15_001);
    },
    cutOffTest() {
      const proxy = live.clusters[0]?.proxy;
      if (proxy === undefined) throw new Error('there is no cluster');
      proxy.fault = { kind: 'hang up' };
      proxy.drop();
    },
    [Symbol.asyncDispose]: () => live[Symbol.asyncDispose](),
  };
}

test('what is done at a secondary is confirmed like at its primary, to which it is passed on', async () => {
  await using two = await startTwo();
  const { replicasOf } = two;
  const { console } = two.live;
  expect(await replicasOf('test')).toBe(null);
  await two.replicate();
  expect(await replicasOf('second')).toEqual(ofSecond);
  expect(await replicasOf('test')).toEqual({ is_secondary: false, primary: null, environments: ['second'] });

  const page = console.browser();
  await signInAs(page, 'admin', testPassword, 'secrets');
  const body = { credentials: { method: 'password', login_name: 'admin', password: testPassword } };
  await page.send('POST', '/api/environments/second/connections/secrets', { body });
  const unmounted = await page.send('DELETE', '/api/environments/second/secrets/mounts/secret/settings', {
    headers: { 'if-match': '"any"' },
  });
  expect(unmounted.json).toMatchObject({
    code: 'confirmation-required',
    environment: 'second',
    detail: expect.stringContaining('Test is a production environment'),
  });

  two.cutOffTest();
  console.clock.advance(15_001);
  expect(await replicasOf('second')).toEqual(ofSecond);
});

test('a primary that was never reached since the start counts by its last known status', async () => {
  await using two = await startTwo();
  await two.replicate();
  await statusOf(two.admin, 'test');
  two.cutOffTest();
  expect(await two.replicasOf('second')).toEqual(ofSecond);
});
