import { startServer, testPassword } from '@gatehouse/secrets-server/testing/server';
import { describe, expect, test, vi } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { signInAs, startConsole } from '#test/console.ts';
import { answering, faultProxy, type Fault } from '#test/fault-proxy.ts';
import { changeAt, connectTo, replicationAt, startReplication } from '#test/replication.ts';

const ofSecond = { is_secondary: true, primary: 'test', environments: ['test'], unknown: [] };

/** `test` is a production environment, `second` isn't. */
async function startTwo() {
  const live = await startReplication(2, 'production');
  const admin = await live.signedIn();
  return {
    live,
    admin,
    replicasOf: async (environment: string) =>
      (await admin.send('GET', replicationAt(environment, '/replicas'))).json['replicas'],
    async replicate(primary: string, secondary: string) {
      await changeAt(admin, primary, 'enable-primary', {});
      await changeAt(admin, secondary, 'add-secondary', { primary, id: 'eu' });
      await vi.waitFor(() => connectTo(admin, secondary), { timeout: 40_000, interval: 20 });
    },
    cutOffTest(fault: Fault) {
      const proxy = live.clusters[0]?.proxy;
      if (proxy === undefined) throw new Error('there is no cluster');
      proxy.fault = fault;
      proxy.drop();
    },
    /** A browser that is connected to `second` and hasn't confirmed a password. */
    async unconfirmed() {
      const page = live.console.browser();
      await signInAs(page, 'admin', testPassword, 'secrets');
      const body = { credentials: { method: 'password', login_name: 'admin', password: testPassword } };
      await page.send('POST', '/api/environments/second/connections/secrets', { body });
      return page;
    },
    [Symbol.asyncDispose]: () => live[Symbol.asyncDispose](),
  };
}

const unmount = (page: Browser) =>
  page.send('DELETE', '/api/environments/second/secrets/mounts/secret/settings', {
    headers: { 'if-match': '"any"' },
  });
const asked = (because: string) => ({
  code: 'confirmation-required',
  environment: 'second',
  detail: expect.stringContaining(because),
});
const production = asked('Test is a production environment.');
const perhaps = asked('Test is a production environment that may have the same secrets.');

describe('what is done where a production environment has the same secrets is confirmed like there', () => {
  test('at a secondary, at once after it has joined', async () => {
    await using two = await startTwo();
    expect(await two.replicasOf('test')).toBe(null);
    expect(await two.replicasOf('second')).toBe(null);
    const page = await two.unconfirmed();
    expect((await unmount(page)).json['code']).not.toBe('confirmation-required');
    await two.replicate('test', 'second');
    expect((await unmount(await two.unconfirmed())).json).toMatchObject(production);
    expect(await two.replicasOf('second')).toEqual(ofSecond);
    expect(await two.replicasOf('test')).toEqual({
      ...ofSecond,
      is_secondary: false,
      primary: null,
      environments: ['second'],
    });
  });

  test.each([
    ["can't be reached", { kind: 'hang up' }],
    ['is hidden by a proxy', answering(404)],
  ] as const)('at a secondary, while the primary %s', async (_, fault) => {
    await using two = await startTwo();
    await two.replicate('test', 'second');
    const page = await two.unconfirmed();
    two.cutOffTest(fault);
    expect((await unmount(page)).json).toMatchObject(perhaps);
    expect(await two.replicasOf('second')).toEqual({
      ...ofSecond,
      primary: null,
      environments: [],
      unknown: ['test'],
    });
  });

  test('at a new primary, before the former one follows it', async () => {
    await using two = await startTwo();
    await two.replicate('test', 'second');
    await changeAt(two.admin, 'test', 'demote');
    await changeAt(two.admin, 'second', 'promote', { force: true });
    expect((await unmount(await two.unconfirmed())).json).toMatchObject(perhaps);
  });

  test('at a primary: records, and what its secondaries receive', async () => {
    await using two = await startTwo();
    await two.replicate('second', 'test');
    const page = await two.unconfirmed();
    expect((await unmount(page)).json).toMatchObject(production);
    const filter = { body: { mode: 'deny', paths: ['secret'] }, headers: { 'if-match': '"none"' } };
    for (const [method, path, options] of [
      ['PUT', '/secondaries/eu/filter', filter],
      ['POST', '/activation-tokens', { body: { id: 'us', ttl: '5m' } }],
      ['DELETE', '/secondaries/eu', {}],
      ['POST', '/demote', {}],
    ] as const)
      expect((await page.send(method, replicationAt('second', path), options)).json, path).toMatchObject(
        production,
      );
  });
});

describe('environments with one secrets server', () => {
  /** `test` and `twin` name one server, as does `alias` by another address, and `team` in a namespace. `stage` is another. */
  async function startFive() {
    const [server, stage] = await Promise.all([startServer({}), startServer({})]);
    const proxy = await faultProxy(stage.port);
    const at = (host: string, port: number) =>
      ({ endpoint: { kind: 'url', url: new URL(`http://${host}:${port}`) }, signIn: ['password'] }) as const;
    const environment = { kind: 'development', sharedAccounts: false } as const;
    const alias = at('localhost', server.port);
    const live = await startConsole({
      secrets: at('127.0.0.1', server.port).endpoint,
      kind: 'production',
      clock: server.clock,
      others: [
        { ...environment, id: 'twin', name: 'Twin', services: { secrets: at('127.0.0.1', server.port) } },
        { ...environment, id: 'alias', name: 'Alias', services: { secrets: alias } },
        { ...environment, id: 'team', name: 'Team', services: { secrets: { ...alias, namespace: 'team' } } },
        { ...environment, id: 'stage', name: 'Stage', services: { secrets: at('127.0.0.1', proxy.port) } },
      ],
    });
    const page = live.browser();
    await signInAs(page, 'admin', testPassword, 'secrets');
    const replicasOf = async (id: string) =>
      (await page.send('GET', replicationAt(id, '/replicas'))).json['replicas'];
    return {
      live,
      page,
      proxy,
      replicasOf,
      async [Symbol.asyncDispose]() {
        await live.close();
        await proxy.close();
        await Promise.all([server[Symbol.asyncDispose](), stage[Symbol.asyncDispose]()]);
      },
    };
  }
  const one = { is_secondary: false, primary: null, environments: [], unknown: [] };

  test('are recognized under any address', async () => {
    await using five = await startFive();
    const { page, replicasOf } = five;
    await connectTo(page, 'alias');
    five.live.clock.advance(5 * 60_000 + 1);
    const unmounted = await page.send('DELETE', '/api/environments/alias/secrets/mounts/secret/settings', {
      headers: { 'if-match': '"any"' },
    });
    expect(unmounted.json).toMatchObject({ ...perhaps, environment: 'alias' });
    expect(await replicasOf('twin')).toEqual({ ...one, environments: ['test'], unknown: ['alias', 'team'] });
    expect(await replicasOf('alias')).toEqual({ ...one, unknown: ['test', 'twin', 'team'] });
    expect(await replicasOf('team')).toBe(null);
    expect(await replicasOf('stage')).toBe(null);
  });

  test('are asked once for all users who wait for the answer', async () => {
    await using five = await startFive();
    let requests = 0;
    five.proxy.onRequest = (bytes) => {
      if (bytes.includes('/v1/sys/health')) requests += 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => five.replicasOf('test')));
    expect(requests).toBeLessThan(20);
  });

  test("are told from one that can't be reached, once it has been", async () => {
    await using five = await startFive();
    five.proxy.fault = { kind: 'hang up' };
    five.proxy.drop();
    expect(await five.replicasOf('stage')).toEqual({ ...one, unknown: ['test', 'twin', 'alias', 'team'] });
    const told = { ...one, environments: ['twin'], unknown: ['alias', 'team'] };
    expect(await five.replicasOf('test')).toEqual({ ...told, unknown: ['alias', 'team', 'stage'] });
    five.proxy.fault = { kind: 'none' };
    expect(await five.replicasOf('test')).toEqual(told);
    five.proxy.fault = { kind: 'hang up' };
    five.proxy.drop();
    expect(await five.replicasOf('test')).toEqual(told);
  });
});

test('a cluster gets the data of another one only after the password', async () => {
  await using live = await startReplication(2);
  const admin = await live.signedIn();
  await changeAt(admin, 'test', 'enable-primary', {});
  await changeAt(admin, 'second', 'enable-primary', {});
  await changeAt(admin, 'second', 'demote');
  live.console.clock.advance(5 * 60_000 + 1);
  const follow = (body: object) => admin.send('POST', replicationAt('second', '/update-primary'), { body });
  expect((await follow({ kind: 'environment', primary: 'test', id: 'eu' })).json).toMatchObject(
    asked('data that only this cluster has is removed from it'),
  );
  expect((await follow({ kind: 'forget' })).json['code']).not.toBe('confirmation-required');
});
