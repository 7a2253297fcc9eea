import {
  startController,
  testPassword,
  type Client,
  type TestController,
} from '@gatehouse/access-controller/testing/controller';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { confirmAs, signInAs, startConsole, type TestConsole } from '#test/console.ts';
import { answering, faultProxy, type FaultProxy } from '#test/fault-proxy.ts';

const targets = '/api/environments/test/access/targets';
/** An answer with one target has some 1,400 bytes of header and body. */
const cuts =
  process.env['GATEHOUSE_DEEP'] === '1'
    ? Array.from({ length: 1_500 }, (_, n) => n)
    : [0, 1, 9, 15, 40, 120, 250, 400, 700, 1_000];

let controller: TestController;
let direct: Client;
let proxy: FaultProxy;
let console: TestConsole;
let page: Browser;
let count = 0;

beforeAll(async () => {
  controller = await startController();
  direct = await controller.as('administrator');
  proxy = await faultProxy(Number(new URL(controller.url).port));
  console = await startConsole({
    access: { kind: 'url', url: new URL(`http://127.0.0.1:${proxy.port}`) },
    clock: controller.clock,
    bff: { limits: { callMs: 400, connectMs: 400 } },
  });
  page = console.browser();
  await signInAs(page, 'admin', testPassword);
});
afterAll(async () => {
  await console.close();
  await proxy.close();
  await controller[Symbol.asyncDispose]();
});
beforeEach(() => {
  proxy.fault = { kind: 'none' };
  proxy.cutNext = undefined;
});

const body = () => ({
  scope_id: 'p_1234567890',
  type: 'tcp',
  name: `cut ${++count}`,
  attributes: { default_port: 22 },
});
async function create(): Promise<string> {
  const answer = await direct.post('/v1/targets', body());
  return String(answer.body['id']);
}

describe('an answer that is cut at any byte', () => {
  test('to an update: recognizes its own write', async () => {
    for (const at of cuts) {
      const id = await create();
      proxy.cutNext = at;
      const answer = await page.send('PATCH', `${targets}/${id}`, {
        revision: '1',
        body: { description: `cut at ${at}` },
      });
      expect(answer.json, `cut at ${at}: ${answer.text}`).toMatchObject({
        revision: '2',
        description: `cut at ${at}`,
      });
      expect((await direct.get(`/v1/targets/${id}`)).body).toMatchObject({ version: 2 });
    }
  });

  test('to a creation: finds the created target, and creates no second one', async () => {
    for (const at of cuts) {
      const sent = body();
      proxy.cutNext = at;
      const answer = await page.send('POST', targets, { body: sent });
      expect(answer.json, `cut at ${at}: ${answer.text}`).toMatchObject({ name: sent.name, revision: '1' });
    }
  });

  test('to a change of a password: ends the sessions that began with the old one', async () => {
    const { id } = await controller.accounts.create({
      loginName: 'cut',
      password: testPassword,
      roles: { access: 'operator' },
    });
    const cutAnswerTo = (action: string) => {
      proxy.onRequest = (bytes) => {
        if (bytes.toString('latin1').includes(`:${action}-password`)) proxy.cutNext = 0;
      };
    };
    const signedIn = async (password = testPassword): Promise<Browser> => {
      const browser = console.browser();
      await signInAs(browser, 'cut', password);
      return browser;
    };
    const status = async (browser: Browser) => (await browser.send('GET', '/api/session')).status;
    const [here, there] = [await signedIn(), await signedIn()];
    cutAnswerTo('change');
    const own = { current_password: testPassword, new_password: 'another password' };
    const changed = await here.send('POST', '/api/environments/test/access/own-password', { body: own });
    expect([changed.json['code'], await status(here), await status(there)]).toEqual([
      'outcome-unknown',
      200,
      401,
    ]);

    const third = await signedIn(own.new_password);
    await confirmAs(page, testPassword);
    cutAnswerTo('set');
    const path = `/api/environments/test/access/people/${id}/reset-password`;
    const reset = await page.send('POST', path, {
      revision: '2',
      body: { new_password: 'a third password' },
    });
    delete proxy.onRequest;
    expect([reset.json['code'], await status(here), await status(third)]).toEqual([
      'outcome-unknown',
      401,
      401,
    ]);
    await signedIn('a third password');
  });

  test('to a deletion: succeeds', async () => {
    for (const at of cuts) {
      const id = await create();
      // The deletion reads first, so the answer after that one is cut.
      const answer = page.send('DELETE', `${targets}/${id}`, { revision: '1' });
      proxy.cutNext = at;
      expect((await answer).status).toBe(204);
      expect((await direct.get(`/v1/targets/${id}`)).status).toBe(404);
    }
  });

  test('to a read: is repeated once', async () => {
    const id = await create();
    for (const at of cuts) {
      proxy.cutNext = at;
      const answer = await page.send('GET', `${targets}/${id}`);
      expect(answer.json, `cut at ${at}: ${answer.text}`).toMatchObject({ id });
    }
  });
});

describe("a controller that doesn't respond", () => {
  test('is asked for no more of the names in a list of sessions', async () => {
    for (let n = 0; n < 30; n++) {
      const target = await direct.post('/v1/targets', { ...body(), address: '10.0.0.1' });
      const session = await direct.post(`/v1/targets/${String(target.body['id'])}:authorize-session`, {});
      expect(session.status).toBe(200);
    }
    proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith('GET /v1/targets/')) return;
      proxy.fault = { kind: 'hang up' };
      proxy.drop();
    };
    const before = proxy.accepted;
    const answer = await page.send(
      'GET',
      '/api/environments/test/access/sessions?scope_id=global&recursive=true',
    );
    delete proxy.onRequest;
    const items = answer.json['items'] as readonly { readonly target_name: string }[];
    expect(items.filter(({ target_name }) => target_name === '').length).toBeGreaterThan(20);
    // Each request in flight was repeated once.
    expect(proxy.accepted - before).toBeLessThan(30);
  });

  test('because its disk is full is reported so for changes, whose outcome is known', async () => {
    const id = await create();
    proxy.fault = answering(507);
    proxy.drop();
    for (const [method, path, request] of [
      ['PATCH', `${targets}/${id}`, { revision: '1', body: { description: 'x' } }],
      ['POST', targets, { body: body() }],
    ] as const)
      expect((await page.send(method, path, request)).json).toMatchObject({
        status: 507,
        code: 'storage-full',
        detail: 'The access controller has no space left.',
      });
  });

  test.each([
    [{ kind: 'silence' }, 504, 'service-timeout'],
    [{ kind: 'hang up' }, 503, 'service-unavailable'],
    [{ kind: 'garbage', seed: 7 }, 502, 'bad-answer'],
  ] as const)(
    '%o: answers with a problem that names environment and service, and the rest of the console works',
    async (fault, status, code) => {
      const other = await startConsole({
        access: { kind: 'url', url: new URL(`http://127.0.0.1:${proxy.port}`) },
        clock: controller.clock,
        bff: { limits: { callMs: 400, connectMs: 400 } },
      });
      const visitor = other.browser();
      await signInAs(visitor, 'admin', testPassword);
      proxy.fault = fault;
      proxy.cutNext = 0;
      const answer = await visitor.send('GET', '/api/environments/test/access/scopes');
      expect(answer.json).toMatchObject({ status, code, service: 'access', environment: 'test' });
      expect((await visitor.send('GET', '/api/session')).status).toBe(200);
      expect((await visitor.send('GET', '/healthz')).status).toBe(200);
      await other.close();
    },
  );
});
