import { startController } from '@gatehouse/access-controller/testing/controller';
import type { Connection } from '@gatehouse/api-types/console/session';
import { totpOf } from '@gatehouse/box-registry/domain/totp';
import { startServer, testPassword } from '@gatehouse/box-registry/testing/server';
import { expect, test } from 'vitest';
import { boxesApi, startBoxes } from '#test/boxes.ts';

/** A user who is connected to two services with the same accounts, in production. */
async function connectedToBoth() {
  await using opening = new AsyncDisposableStack();
  const controller = opening.use(await startController());
  const registry = opening.use(await startServer());
  const both = {
    id: 'both',
    name: 'Both',
    kind: 'production',
    sharedAccounts: true,
    services: {
      access: { endpoint: { kind: 'url', url: new URL(controller.url) }, signIn: ['password'] },
      boxes: { endpoint: { kind: 'url', url: new URL(registry.url) }, signIn: ['password'] },
    },
  } as const;
  const live = opening.use(await startBoxes({ others: [both] }));
  const page = await live.signedIn();
  const at = '/api/environments/both';
  const connect = (service: string, two_factor_code?: string) =>
    page.send('POST', `${at}/connections/${service}`, {
      body: {
        credentials: { method: 'password', login_name: 'admin', password: testPassword, two_factor_code },
      },
    });
  expect((await connect('access')).status).toBe(200);
  const confirm = (service: string, two_factor_code?: string) =>
    page.send('POST', '/api/session/confirm', {
      body: { environment: 'both', service, secret: testPassword, two_factor_code },
    });
  /** @returns a function that computes codes, each of which counts once */
  const setUp = async (): Promise<() => string> => {
    const { json } = await page.send('POST', `${at}/boxes/two-factor/begin`, {
      body: { password: testPassword },
    });
    const totp = totpOf(String(json['secret']));
    const code = (): string => {
      registry.clock.advance(60_000);
      return totp.generate({ timestamp: registry.clock.now() });
    };
    expect(
      (await page.send('POST', `${at}/boxes/two-factor/enable`, { body: { code: code() } })).status,
    ).toBe(204);
    return code;
  };
  const opened = opening.move();
  return {
    page,
    at,
    clock: live.console.clock,
    connect,
    confirm,
    setUp,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

test('a code is tried only at the service that it was entered for', async () => {
  await using both = await connectedToBoth();
  const { page, at, connect } = both;
  const boxesState = async () =>
    ((await page.send('GET', '/api/connections')).json['connections'] as Connection[]).find(
      (one) => one.environment === 'both' && one.service === 'boxes',
    )?.state;
  expect(await boxesState()).toBe('connected');
  const code = await both.setUp();
  await page.send('DELETE', `${at}/connections/boxes`);
  expect((await connect('access', code())).status).toBe(200);
  expect(await boxesState()).toBe('not-connected');
  expect((await connect('boxes', code())).status).toBe(200);
});

test("a password entered for another service doesn't replace a second factor", async () => {
  await using both = await connectedToBoth();
  const { page, at, clock, confirm } = both;
  const remove = async () =>
    (await page.send('DELETE', `${at}/boxes/owners/admin/boxes/none`, { revision: '1' })).json['code'];
  const asks = 'confirmation-required';
  expect((await confirm('access')).status).toBe(200);
  expect(await remove()).toBe('not-found');
  const code = await both.setUp();
  clock.advance(5 * 60_000);
  expect((await confirm('boxes')).json).toMatchObject({ code: 'two-factor-required' });
  expect((await confirm('access')).status).toBe(200);
  expect(await remove()).toBe(asks);
  expect((await confirm('boxes', code())).status).toBe(200);
  expect(await remove()).toBe('not-found');
});

test('a second factor is set up, required at every sign-in, and removed', async () => {
  await using boxes = await startBoxes();
  const admin = await boxes.signedIn();
  const at = `${boxesApi}/two-factor`;
  const later = (): void => boxes.server.clock.advance(60_000);
  const wrong = await admin.send('POST', `${at}/begin`, { body: { password: 'wrong' } });
  expect([wrong.status, wrong.json['code']]).toEqual([401, 'sign-in-failed']);
  later();
  const begun = await admin.send('POST', `${at}/begin`, {
    body: { password: testPassword, phone: '+15551237890' },
  });
  expect(begun.json['otpauth_url']).toMatch(/^otpauth:\/\/totp\//);
  const totp = totpOf(String(begun.json['secret']));
  const code = (): string => totp.generate({ timestamp: boxes.server.clock.now() });
  const enabled = await admin.send('POST', `${at}/enable`, { body: { code: code() } });
  expect([enabled.status, enabled.text]).toEqual([204, '']);
  later();
  expect((await admin.send('GET', `${boxesApi}/account`)).json).toMatchObject({
    two_factor: { enabled: true, destination: expect.stringContaining('7890') },
  });

  const page = boxes.console.browser();
  const signIn = (two_factor_code?: string) =>
    page.send('POST', '/api/session', {
      body: {
        environment: 'test',
        service: 'boxes',
        credentials: { method: 'password', login_name: 'admin', password: testPassword, two_factor_code },
      },
    });
  expect((await signIn()).json).toMatchObject({
    status: 401,
    code: 'two-factor-required',
    twoFactor: { default_delivery_method: 'app', delivery_methods: ['app', 'sms'], refused: false },
  });
  const guessed = await signIn('000000');
  expect(guessed.json).toMatchObject({
    status: 401,
    code: 'two-factor-required',
    twoFactor: { delivery_methods: ['app', 'sms'], refused: true },
  });
  later();
  const sent = await page.send('POST', '/api/two-factor/request-code', {
    body: { environment: 'test', login_name: 'admin', password: testPassword, delivery_method: 'sms' },
  });
  expect(sent.json['destination']).toContain('7890');
  later();
  expect((await signIn(code())).status).toBe(200);
  later();
  const token = await page.send('POST', `${boxesApi}/tokens`, {
    body: { password: testPassword, description: 'CI', code: code() },
  });
  expect(token.status).toBe(200);
  later();
  const removed = await page.send('POST', `${at}/disable`, {
    body: { password: testPassword, code: code() },
  });
  expect([removed.status, removed.text]).toEqual([204, '']);
  expect((await signIn()).status).toBe(200);
});
