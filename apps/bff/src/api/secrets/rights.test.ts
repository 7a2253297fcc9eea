import { testPassword } from '@gatehouse/secrets-server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { confirmAs } from '#test/console.ts';
import { secretAt, secretsApi, startSecrets, type SecretsConsole } from '#test/secrets.ts';

let secrets: SecretsConsole;
let admin: Browser;
let count = 0;

beforeAll(async () => {
  secrets = await startSecrets();
  admin = await secrets.signedIn();
});
afterAll(() => secrets[Symbol.asyncDispose]());

/** Writes this many versions of a secret as another client. */
async function made(versions: number): Promise<string> {
  const path = `made/s${++count}`;
  for (let n = 1; n <= versions; n++) await secrets.direct.write(`secret/data/${path}`, { data: { n } });
  return path;
}
const reveal = (path: string, page: Browser) => page.send('POST', secretAt(path, '/reveal'), { body: {} });
const confirm = (page: Browser) => confirmAs(page, testPassword);

describe("users who can't read", () => {
  test("but can list: see that a secret exists, and why they can't see more", async () => {
    const path = await made(1);
    const lister = await secrets.withPolicy(
      'lister',
      'path "secret/metadata/*" { capabilities = ["list"] }\npath "secret/metadata" { capabilities = ["list"] }',
    );
    const folder = await lister.send('GET', `${secretsApi}/mounts/secret/folder?path=made`);
    expect(folder.status).toBe(200);
    expect((await lister.send('GET', secretAt(path))).json).toMatchObject({
      code: 'forbidden',
      service: 'secrets',
    });
    expect((await reveal(path, lister)).json).toMatchObject({ code: 'forbidden' });
    const may = await lister.send(
      'GET',
      `${secretsApi}/mounts/secret/capabilities?path=${encodeURIComponent(path)}`,
    );
    expect(may.json['may']).toMatchObject({ list: true, read: false, read_structure: false, update: false });
  });

  test("but can patch: see field names, and set values that they can't see", async () => {
    const path = await made(0);
    await admin.send('POST', secretAt(path), { body: { data: '{"a":"canary-a","b":1}' } });
    const writer = await secrets.withPolicy(
      'writer',
      'path "secret/subkeys/*" { capabilities = ["read"] }\npath "secret/data/*" { capabilities = ["patch"] }',
    );
    const seen = await writer.send('GET', secretAt(path));
    expect(seen.json).toMatchObject({
      revision: '1',
      version: { structure: '{"a":null,"b":null}' },
      may: { read: false, read_structure: true, patch: true, update: false },
    });
    expect(
      (await writer.send('PATCH', secretAt(path), { revision: '1', body: { data: '{"b":2}' } })).json,
    ).toMatchObject({ revision: '2' });
    const stale = await writer.send('PATCH', secretAt(path), { revision: '1', body: { data: '{"b":3}' } });
    expect(stale.json).toMatchObject({
      code: 'conflict',
      conflict: {
        base: { version: 1, structure: '{"a":null,"b":null}' },
        current: { version: 2, structure: '{"a":null,"b":null}' },
      },
    });
    expect(stale.text).not.toContain('canary');
  });
});

test('users who may read and replace, but not patch, change single fields all the same', async () => {
  const path = await made(0);
  await admin.send('POST', secretAt(path), { body: { data: '{"a":"canary-a","b":{"c":1,"d":2}}' } });
  const writer = await secrets.withPolicy(
    'replacer',
    'path "secret/data/*" { capabilities = ["create", "read", "update"] }',
  );
  const change = { revision: '1', body: { data: '{"b":{"c":null,"e":12345678901234567890}}' } };
  const patched = await writer.send('PATCH', secretAt(path), change);
  expect(patched.json).toMatchObject({ revision: '2' });
  expect((await reveal(path, admin)).json['data']).toBe(
    '{"a":"canary-a","b":{"d":2,"e":12345678901234567890}}',
  );
  const stale = await writer.send('PATCH', secretAt(path), { revision: '1', body: { data: '{"a":"mine"}' } });
  expect(stale.json).toMatchObject({ code: 'conflict', conflict: { currentRevision: '2' } });
  expect(patched.text + stale.text).not.toContain('canary');
  await secrets.direct.delete(`secret/data/${path}`);
  const deleted = await writer.send('PATCH', secretAt(path), {
    revision: '2',
    body: { data: '{"a":"mine"}' },
  });
  expect(deleted.json).toMatchObject({ code: 'invalid-request', detail: expect.stringMatching(/deleted/) });
});

test('a patch of a nonexistent secret is refused as such', async () => {
  const patch = async (page: Browser) => {
    const sent = { revision: '3', body: { data: '{"a":1}' } };
    const { code, detail } = (await page.send('PATCH', secretAt('rights/none'), sent)).json;
    return [code, detail];
  };
  const may = (...capabilities: string[]) =>
    secrets.withPolicy(
      `may-${capabilities.join('-')}`,
      `path "secret/data/*" { capabilities = ${JSON.stringify(capabilities)} }`,
    );
  expect(await patch(admin)).toEqual(['conflict', expect.stringMatching(/^This secret no longer exists/)]);
  expect(await patch(await may('create', 'read', 'update'))).toEqual([
    'not-found',
    'No secret exists at this path.',
  ]);
  expect(await patch(await may('patch'))).toEqual([
    'invalid-request',
    'No secret exists at this path, or its newest version is deleted.',
  ]);
});

test('a save reads the stored version once', async () => {
  const path = await made(0);
  await admin.send('POST', secretAt(path), { body: { data: '{"a":1,"b":2}' } });
  const replacer = await secrets.withPolicy(
    'replacer',
    'path "secret/data/*" { capabilities = ["create", "read", "update"] }',
  );
  const sent: string[] = [];
  /** What the server is asked about the secret while it is saved as the next version. */
  const requestsOf = async (page: Browser, method: string, revision: number, data: string, more = {}) => {
    sent.length = 0;
    const body = { data, ...more };
    const { json } = await page.send(method, secretAt(path), { revision: String(revision), body });
    expect(json).toMatchObject({ revision: String(revision + 1) });
    return sent;
  };
  const readable = { readable: true };
  secrets.proxy.onRequest = (bytes) => {
    const found = /^([A-Z]+) \/v1\/secret\/(\w+)\//.exec(bytes.toString('latin1'));
    if (found !== null) sent.push(`${found[1]} ${found[2]}`);
  };
  expect(await requestsOf(admin, 'PATCH', 1, '{"a":3}', readable)).toEqual(['GET data', 'PATCH data']);
  expect(await requestsOf(admin, 'PATCH', 2, '{"a":4}')).toEqual(['GET data', 'PATCH data']);
  expect(await requestsOf(admin, 'PUT', 3, '{"a":5}', readable)).toEqual(['GET data', 'POST data']);
  const replaced = ['GET data', 'PATCH data', 'POST data'];
  expect(await requestsOf(replacer, 'PATCH', 4, '{"b":6}', readable)).toEqual(replaced);
  const count = secrets.proxy.onRequest;
  secrets.proxy.onRequest = (bytes) => {
    count(bytes);
    if (bytes.includes('PATCH /v1/secret/data/')) secrets.proxy.cutNext = 0;
  };
  // After a lost answer, the newest version is read and compared with the version read before.
  const lost = ['GET data', 'PATCH data', 'GET data'];
  expect(await requestsOf(admin, 'PATCH', 5, '{"a":7}', readable)).toEqual(lost);
  delete secrets.proxy.onRequest;
});

test('the trail names the changed fields of a secret that keeps one version', async () => {
  const path = await made(0);
  await secrets.direct.write(`secret/metadata/${path}`, { max_versions: 1 });
  await admin.send('POST', secretAt(path), { body: { data: '{"a":1,"b":2}' } });
  await admin.send('PATCH', secretAt(path), { revision: '1', body: { data: '{"b":null}', readable: true } });
  const { json } = await admin.send('GET', `/api/environments/test/activity?resource_id=secret/${path}`);
  expect(json['items']).toMatchObject([{ paths: ['removed=data.b'] }, {}]);
});

test('the trail names the written fields of a secret that is too long to compare', async () => {
  const path = await made(0);
  await admin.send('POST', secretAt(path), {
    body: { data: JSON.stringify({ a: 'x'.repeat(300_000), b: 2 }) },
  });
  await admin.send('PATCH', secretAt(path), { revision: '1', body: { data: '{"b":null}', readable: true } });
  const { json } = await admin.send('GET', `/api/environments/test/activity?resource_id=secret/${path}`);
  expect(json['items']).toMatchObject([{ paths: ['data.b'] }, {}]);
});

describe('a patch by users who see nothing', () => {
  const patcher = () => secrets.withPolicy('patcher', 'path "secret/data/*" { capabilities = ["patch"] }');
  const patch = (page: Browser, path: string, revision: string) =>
    page.send('PATCH', secretAt(path), { revision, body: { data: '{"a":null,"b":2}' } });

  test('sets and removes fields by name, without check-and-set', async () => {
    const path = await made(0);
    await secrets.direct.write(`secret/data/${path}`, { data: { a: 'canary-a', c: 'canary-c' } });
    const page = await patcher();
    const seen = await page.send('GET', secretAt(path));
    expect(seen.json).toMatchObject({
      revision: '*',
      version: null,
      may: { read: false, read_structure: false, read_metadata: false, patch: true },
    });
    expect((await patch(page, path, seen.json['revision'] as string)).json).toMatchObject({
      revision: '2',
      state: 'readable',
    });
    expect((await secrets.direct.read(`secret/data/${path}`)).body['data']).toMatchObject({
      data: { b: 2, c: 'canary-c' },
    });
    expect((await page.send('GET', secretAt(path, '?version=1'))).json).toMatchObject({ code: 'forbidden' });
  });

  test("is refused if the secret doesn't exist or requires check-and-set", async () => {
    const page = await patcher();
    expect((await patch(page, 'made/none', '*')).json).toMatchObject({
      code: 'invalid-request',
      detail: 'No secret exists at this path, or its newest version is deleted.',
    });
    const path = await made(1);
    await secrets.direct.write(`secret/metadata/${path}`, { cas_required: true });
    const refused = await patch(page, path, '*');
    expect(refused.json).toMatchObject({ code: 'invalid-request' });
    expect(refused.json['detail']).toMatch(/^Check-and-set is required here/);
  });

  test('must send the version if the user can read it', async () => {
    const path = await made(1);
    expect((await patch(admin, path, '*')).json).toMatchObject({
      code: 'invalid-request',
      detail: "You can read this secret's version, so send it in If-Match.",
    });
    const update = await admin.send('PUT', secretAt(path), { revision: '*', body: { data: '{}' } });
    expect(update.json).toMatchObject({ code: 'invalid-request' });
  });

  test("isn't repeated if the answer is lost", async () => {
    const path = await made(1);
    const page = await patcher();
    let sent = 0;
    secrets.proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith('PATCH ')) return;
      sent += 1;
      secrets.proxy.cutNext = 10;
    };
    const lost = await patch(page, path, '*');
    delete secrets.proxy.onRequest;
    expect(lost.json).toMatchObject({ code: 'outcome-unknown' });
    expect(sent).toBe(1);
    expect((await secrets.direct.read(`secret/data/${path}`)).body['data']).toMatchObject({
      metadata: { version: 2 },
    });
  });
});

describe('creating in a folder', () => {
  const mayIn = async (page: Browser, path = '') => {
    const query = path === '' ? '' : `?path=${encodeURIComponent(path)}`;
    return (await page.send('GET', `${secretsApi}/mounts/secret/capabilities${query}`)).json['may'];
  };
  const listing = 'path "secret/metadata/*" { capabilities = ["list"] }';

  test('is allowed by policies for paths below it, not for the folder itself', async () => {
    expect(await mayIn(await secrets.signedIn('operator'))).toMatchObject({ create: true, list: true });
    expect(await mayIn(await secrets.signedIn('read-only'))).toMatchObject({ create: false });
    const below = await secrets.withPolicy(
      'below',
      `${listing}\npath "secret/data/app/*" { capabilities = ["create", "update"] }`,
    );
    expect(await mayIn(below, 'app')).toMatchObject({ create: true, update: true, list: true });
    expect(await mayIn(below, 'app/web')).toMatchObject({ create: true });
    expect(await mayIn(below, 'other')).toMatchObject({ create: false });
  });

  test('is allowed if policies allow a part of it', async () => {
    const part = await secrets.withPolicy(
      'part',
      `${listing}\npath "secret/data/team/web-*" { capabilities = ["create"] }`,
    );
    expect(await mayIn(part)).toMatchObject({ create: true });
    expect(await mayIn(part, 'team')).toMatchObject({ create: true });
    expect(await mayIn(part, 'tea')).toMatchObject({ create: false });
  });
});

describe('roles', () => {
  const body = { data: '{"a":1}' };
  /** The status for each role, by operation: read-only, operator, administrator. */
  test.each([
    ['GET', '', {}, [200, 200, 200]],
    ['POST', '/reveal', { body: {} }, [200, 200, 200]],
    ['PUT', '', { revision: '1', body }, [403, 200, 200]],
    ['PATCH', '', { revision: '1', body }, [403, 200, 200]],
    ['POST', '/restore', { revision: '1', body: { version: 1 } }, [403, 200, 200]],
    ['DELETE', '', { revision: '1' }, [403, 204, 204]],
    ['POST', '/delete-versions', { body: { versions: [1] } }, [403, 204, 204]],
    ['POST', '/undelete', { body: { versions: [1] } }, [403, 204, 204]],
    ['POST', '/destroy', { body: { versions: [1] } }, [403, 204, 204]],
    ['POST', '/delete-forever', { revision: '1' }, [403, 204, 204]],
  ] as const)('%s %s', async (method, action, request, expected) => {
    const statuses = [];
    for (const role of ['read-only', 'operator', 'admin']) {
      const path = await made(1);
      const page = await secrets.signedIn(role);
      if (action === '/destroy' || action === '/delete-forever') await confirm(page);
      const answer = await page.send(method, secretAt(path, action), request);
      if (answer.status === 403) expect(answer.json).toMatchObject({ code: 'forbidden', service: 'secrets' });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual(expected);
  });

  test("shows everyone's activity to users who can write policies, and others only their own", async () => {
    const operator = await secrets.signedIn('operator');
    const sees = async (page: Browser) =>
      (await page.send('GET', '/api/environments/test/activity')).json['sees'];
    expect(await sees(operator)).toBe('own');
    expect(await sees(await secrets.signedIn())).toBe('all');
  });
});
