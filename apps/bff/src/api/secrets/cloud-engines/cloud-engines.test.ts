/** Mounting, root credentials and lease times, with the embedded server and a test double of the provider. */
import { testPassword } from '@gatehouse/access-controller/testing/controller';
import { rootKey } from '@gatehouse/secrets-server/testing/cloud';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import {
  endFaults,
  engineAt,
  invalid,
  outcomes,
  roleAt,
  startCloud,
  userRole,
  type CloudConsole,
} from '#test/cloud.ts';
import { confirmAs } from '#test/console.ts';
import { secretsApi } from '#test/secrets.ts';

const canary = 'CanarySecretKeyOfAnotherRootUser01234567';

let live: CloudConsole;
let admin: Browser;
beforeAll(async () => {
  live = await startCloud();
  admin = await live.signedIn();
  await confirmAs(admin, testPassword);
});
afterAll(() => live[Symbol.asyncDispose]());
afterEach(() => {
  endFaults(live);
});

test("actions are looked up in the provider's table, and unknown ones get the nearest name", async () => {
  const check = async (actions: readonly string[]) =>
    (await admin.send('POST', `${secretsApi}/cloud/actions`, { body: { actions } })).json;
  const known = ['s3:GetObject', 'S3:getobject', 's3:Get*', 's3:*', 'ec2:Describe?nstances', '*', 'none'];
  expect(await check(known)).toEqual({ unknown: [], as_of: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) });
  expect(
    (await check(['s3:GetObjct', 's3:Get*Z', 's33:GetObject', 'nosuchservice:Do', 's3:GetObjct']))['unknown'],
  ).toEqual([
    { action: 's3:GetObjct', part: 'action', nearest: 's3:GetObject' },
    { action: 's3:Get*Z', part: 'action', nearest: null },
    { action: 's33:GetObject', part: 'service', nearest: 's3' },
    { action: 'nosuchservice:Do', part: 'service', nearest: null },
  ]);
});

describe('engines', () => {
  test('are listed with what the caller may do, and can be mounted once', async () => {
    const list = await admin.send('GET', `${secretsApi}/cloud`);
    const may = { list_roles: true, create_roles: true, read_root: true, rotate_root: true };
    expect(list.json).toMatchObject({
      items: [{ mount: 'cloud', plugin: 'cloud', configured: true, may }],
      available: ['cloud'],
      may_mount: true,
    });
    const mount = (body: object, page = admin) =>
      page.send('POST', `${secretsApi}/cloud`, {
        body: { mount: 'team/cloud', plugin: 'cloud', description: 'second', ...body },
      });
    expect((await mount({})).json).toMatchObject({
      mount: 'team/cloud',
      description: 'second',
      configured: false,
    });
    expect((await mount({})).json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'created', current: { mount: 'team/cloud' } },
    });
    const both = [mount({ mount: 'both' }), mount({ mount: 'both' })];
    expect(await outcomes(...both)).toEqual(['conflict', 'done']);
    expect((await mount({ mount: 'secret' })).json).toMatchObject(invalid('mount'));
    expect((await mount({ mount: 'x', plugin: 'kv' })).json).toMatchObject(invalid('plugin'));
    expect((await mount({ mount: 'x', plugin: 'aws' })).json).toMatchObject(invalid('plugin'));
    const reader = await live.signedIn('read-only');
    expect((await mount({ mount: 'x' }, reader)).json).toMatchObject({ code: 'forbidden' });
    expect((await reader.send('GET', `${secretsApi}/cloud`)).json).toMatchObject({ may_mount: false });
  });

  test("are listed and unmounted although their settings can't be read", async () => {
    const body = { mount: 'broken', plugin: 'cloud', description: '' };
    await admin.send('POST', `${secretsApi}/cloud`, { body });
    const policy =
      'path "broken/*" { capabilities = ["read"] }\npath "sys/mounts/broken" { capabilities = ["delete"] }';
    const page = await live.withPolicy('broken', policy, true);
    live.proxy.onRequest = (bytes) => {
      if (bytes.toString('latin1').startsWith('GET /v1/broken/config/root ')) live.proxy.cutNext = 20;
    };
    const { json } = await page.send('GET', `${secretsApi}/cloud`);
    expect(json['items']).toMatchObject([{ mount: 'broken', configured: null, may: { read_root: true } }]);
    const [{ revision }] = json['items'] as [{ revision: string }];
    expect((await page.send('DELETE', `${secretsApi}/cloud/broken`, { revision })).status).toBe(204);
  });

  test('are unmounted with what they issued, unless another one was mounted since', async () => {
    const at = `${secretsApi}/cloud/old`;
    const mount = async () => {
      const body = { mount: 'old', plugin: 'cloud', description: '' };
      const { json } = await admin.send('POST', `${secretsApi}/cloud`, { body });
      return String(json['revision']);
    };
    const seen = await mount();
    const listed = (await admin.send('GET', `${secretsApi}/cloud`)).json;
    expect(listed['items']).toContainEqual(
      expect.objectContaining({
        mount: 'old',
        revision: seen,
        may: expect.objectContaining({ unmount: true }),
      }),
    );
    const unmount = (revision: string, page = admin) => page.send('DELETE', at, { revision });
    const reader = await live.signedIn('read-only');
    expect((await unmount(seen, reader)).json).toMatchObject({ code: 'forbidden' });
    await live.direct.delete('sys/mounts/old');
    const now = await mount();
    expect((await unmount(seen)).json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'modified', resource: { kind: 'cloud-engine', id: 'old' } },
    });
    expect((await unmount(now)).status).toBe(204);
    expect((await unmount(now)).json).toMatchObject({ code: 'not-found' });
    const settings = `${secretsApi}/cloud/secret`;
    expect((await admin.send('DELETE', settings, { revision: now })).json).toMatchObject({
      code: 'invalid-request',
    });
  });

  test('are mounted by users who can mount but not see them', async () => {
    const policy = 'path "sys/mounts/blind" { capabilities = ["create", "update"] }';
    const mounter = await live.withPolicy('mounter', policy, true);
    const body = { mount: 'blind', plugin: 'cloud', description: 'third' };
    expect((await mounter.send('POST', `${secretsApi}/cloud`, { body })).json).toEqual({
      ...body,
      revision: '',
      running_version: '',
      configured: null,
      may: null,
    });
  });

  test('allow creating roles if policies allow only names with a certain prefix', async () => {
    const some = await live.withPolicy(
      'team roles',
      'path "cloud/roles/team-*" { capabilities = ["create", "update"] }\npath "cloud/roles/" { capabilities = ["list"] }',
    );
    const lister = await live.withPolicy('lister', 'path "cloud/roles/" { capabilities = ["list"] }');
    for (const [page, create_roles] of [
      [some, true],
      [lister, false],
    ] as const) {
      const { json } = await page.send('GET', `${secretsApi}/cloud`);
      expect(json['items']).toContainEqual(
        expect.objectContaining({ mount: 'cloud', may: expect.objectContaining({ create_roles }) }),
      );
    }
  });

  test('of another kind are sent nothing, and stay unchanged', async () => {
    const sent: string[] = [];
    live.proxy.onRequest = (bytes) => sent.push(bytes.toString('latin1'));
    for (const [method, path, request] of [
      ['GET', engineAt('/root', 'secret'), {}],
      ['POST', roleAt('x', '/credentials', 'secret'), { body: { from: 'creds' } }],
      ['POST', engineAt('/roles', 'secret'), { body: { name: 'x', ...userRole } }],
      ['PUT', engineAt('/lease', 'secret'), { revision: 'none', body: { lease: '1m', lease_max: '1h' } }],
    ] as const) {
      const answer = await admin.send(method, path, request);
      expect(answer.json, path).toMatchObject({ code: 'invalid-request' });
    }
    expect(sent.filter((text) => text.includes(' /v1/secret/'))).toEqual([]);
    expect((await admin.send('GET', engineAt('/root', 'none'))).json).toMatchObject({ code: 'not-found' });
  });
});

test("root credentials and lease times are saved if only the user's rights can't be read afterwards", async () => {
  await live.direct.write('sys/mounts/unread', { type: 'cloud' });
  live.proxy.onRequest = (bytes) => {
    if (bytes.includes('sys/capabilities-self ')) live.proxy.drop();
  };
  const save = (what: string, body: object) =>
    admin.send('PUT', engineAt(what, 'unread'), { revision: 'none', body });
  expect((await save('/lease', { lease: '1m', lease_max: '1h' })).json).toMatchObject({ may: null });
  const root = { access_key: '', secret_key: '', region: '', iam_endpoint: '', sts_endpoint: '' };
  expect((await save('/root', { ...root, max_retries: 0 })).json).toMatchObject({ may: null });
});

describe('root credentials', () => {
  const at = engineAt('/root', 'team/root');
  const fields = {
    access_key: 'AKIAFIRST',
    secret_key: canary,
    region: 'eu-central-1',
    iam_endpoint: '',
    sts_endpoint: 'https://sts.example',
    max_retries: 3,
  };
  const save = (body: object, revision: string) => admin.send('PUT', at, { revision, body });

  test('are saved only over the state that the user saw, and show who saved them', async () => {
    await live.direct.write('sys/mounts/team/root', { type: 'cloud' });
    const before = await admin.send('GET', at);
    expect(before.json).toMatchObject({ configured: false, revision: 'none', changed: null });
    expect((await save({ ...fields, secret_key: '' }, 'none')).json).toMatchObject(invalid('secret_key'));
    const saved = await save(fields, 'none');
    const { secret_key: _secret, ...shown } = fields;
    expect(saved.json).toMatchObject({ ...shown, configured: true, changed: { by: 'admin' } });
    expect(saved.text).not.toContain(canary);
    // The secret key can't be compared, and an empty field doesn't mean "unchanged".
    for (const other of [{ secret_key: `${canary}2` }, { access_key: 'AKIASECOND' }, { region: '' }]) {
      expect((await save({ ...fields, ...other }, 'none')).json).toMatchObject({
        code: 'conflict',
        conflict: { reason: 'modified', current: { access_key: 'AKIAFIRST' }, changedBy: 'admin' },
      });
    }
    const next = { ...fields, access_key: 'AKIATHIRD', region: '' };
    live.proxy.onRequest = (bytes) => {
      if (bytes.toString('latin1').startsWith('POST /v1/team/root/config/root ')) live.proxy.cutNext = 20;
    };
    // A lost answer to the user's own write is no conflict.
    expect((await save(next, String(saved.json['revision']))).json).toMatchObject({
      access_key: 'AKIATHIRD',
      region: '',
    });
    delete live.proxy.onRequest;
    const seen = await admin.send('GET', at);
    expect(seen.json).toMatchObject({ changed: { by: 'admin' } });
    expect((await admin.send('PUT', at, { body: fields })).status).toBe(428);
    const none = { ...fields, access_key: '', secret_key: '' };
    expect((await save(none, String(seen.json['revision']))).json).toMatchObject({ access_key: '' });
    expect((await live.direct.read('team/root/config/root')).data).toMatchObject({
      access_key: '',
      region: 'eu-central-1',
      max_retries: 3,
    });
  });

  test('require the password in production to replace keys, but not to set the first ones', async () => {
    await using production = await startCloud({ kind: 'production' });
    const page = await production.signedIn();
    await production.direct.write('sys/mounts/fresh', { type: 'cloud' });
    const put = async (mount: string) => {
      const path = engineAt('/root', mount);
      const { json } = await page.send('GET', path);
      return page.send('PUT', path, { revision: String(json['revision']), body: fields });
    };
    expect((await put('fresh')).status).toBe(200);
    expect((await put('fresh')).json).toMatchObject({ code: 'confirmation-required' });
    expect((await put('cloud')).json).toMatchObject({ code: 'confirmation-required' });
    // Unreadable root credentials may contain a key, so they aren't overwritten unseen.
    const writer = await production.withPolicy(
      'writer',
      'path "fresh/config/root" { capabilities = ["update"] }',
    );
    const blind = await writer.send('PUT', engineAt('/root', 'fresh'), { revision: 'none', body: fields });
    expect(blind.json).toMatchObject({ code: 'forbidden' });
  });

  test("are rotated, with the previous key and what the server couldn't delete", async () => {
    const rotate = () => admin.send('POST', engineAt('/root/rotate'));
    live.provider.inject = ({ action }) =>
      action === 'DeleteAccessKey'
        ? { effect: 'before', answer: { status: 409, code: 'EntityTemporarilyUnmodifiable' } }
        : undefined;
    const first = await rotate();
    expect(first.json).toMatchObject({
      previous_access_key: rootKey.id,
      warnings: [expect.stringContaining(rootKey.id)],
    });
    expect((await rotate()).json).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining('other access keys'),
    });
    live.provider.inject = undefined;
    live.server.clock.advance(60_000);
    await expect.poll(() => live.provider.dump()['root']?.keys).toEqual([first.json['access_key']]);
    live.provider.inject = () => ({ effect: 'before', answer: { status: 403, code: 'AccessDenied' } });
    expect((await rotate()).json).toMatchObject({
      code: 'invalid-request',
      detail:
        "The cloud provider refused the request (AccessDenied): the root credentials aren't allowed to do this.",
    });
    live.provider.inject = () => ({ effect: 'before' });
    expect((await rotate()).json).toMatchObject({ code: 'service-unavailable' });
    live.provider.inject = undefined;
    const { access_key } = (await admin.send('GET', engineAt('/root'))).json;
    // The answer is lost, and the stored configuration shows the new key.
    live.proxy.onRequest = (bytes) => {
      if (bytes.toString('latin1').includes('/config/rotate-root ')) live.proxy.cutNext = 20;
    };
    const second = await rotate();
    delete live.proxy.onRequest;
    expect(second.json).toMatchObject({ previous_access_key: access_key });
    expect(live.provider.dump()['root']?.keys).toEqual([second.json['access_key']]);
    await live.direct.write('sys/mounts/bare', { type: 'cloud' });
    const bare = () => admin.send('POST', engineAt('/root/rotate', 'bare'));
    expect((await bare()).json).toMatchObject({
      detail: expect.stringContaining('No root credentials are configured'),
    });
    await live.direct.write('bare/config/root', {});
    expect((await bare()).json).toMatchObject({ detail: expect.stringContaining('environment') });
  });

  test('accept only one of two changes to the same state', async () => {
    await live.direct.write('sys/mounts/raced', { type: 'cloud' });
    const save = (region: string): Promise<BrowserAnswer> =>
      admin.send('PUT', engineAt('/root', 'raced'), {
        revision: 'none',
        body: { ...fields, region },
      });
    expect(await outcomes(save('eu-west-1'), save('eu-west-2'))).toEqual(['conflict', 'done']);
  });
});

test('lease times are compared in any notation', async () => {
  const at = engineAt('/lease');
  expect((await admin.send('GET', at)).json).toMatchObject({ configured: false, revision: 'none' });
  const save = (lease: string, lease_max: string, revision: string) =>
    admin.send('PUT', at, { revision, body: { lease, lease_max } });
  const saved = await save('90s', '2h', 'none');
  expect(saved.json).toMatchObject({ configured: true, lease: '1m30s', lease_max: '2h0m0s' });
  expect((await save('1m30s', '120m', 'none')).status).toBe(200);
  expect((await save('1m', '2h', 'none')).json).toMatchObject({ code: 'conflict' });
  expect((await save('3h', '2h', String(saved.json['revision']))).json).toMatchObject(invalid('lease_max'));
});
