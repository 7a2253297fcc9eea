import { testPassword } from '@gatehouse/secrets-server/testing/server';
import { expect, test, vi } from 'vitest';
import { signInAs } from '#test/console.ts';
import { changeAt, connectTo, replicationAt, startReplication } from '#test/replication.ts';

test('what is done at a secondary is confirmed like at its primary, to which it is passed on', async () => {
  await using live = await startReplication(2, 'production');
  const { console } = live;
  const admin = await live.signedIn();
  const replicasOf = async (environment: string) =>
    (await admin.send('GET', replicationAt(environment, '/replicas'))).json['replicas'];
  expect(await replicasOf('test')).toBe(null);
  await changeAt(admin, 'test', 'enable-primary', {});
  await changeAt(admin, 'second', 'add-secondary', { primary: 'test', id: 'eu' });
  await vi.waitFor(() => connectTo(admin, 'second'), { timeout: 40_000, interval: 20 });
  console.clock.advance(15_001);
  expect(await replicasOf('second')).toEqual({ is_secondary: true, primary: 'test', environments: ['test'] });
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
});
