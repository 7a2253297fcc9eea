import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { secretAt, secretsApi, startSecrets, type SecretsConsole } from '#test/secrets.ts';

let secrets: SecretsConsole;
let admin: Browser;
let count = 0;

beforeAll(async () => {
  secrets = await startSecrets();
  admin = await secrets.signedIn();
});
afterAll(() => secrets[Symbol.asyncDispose]());

/** Writes this many versions of a secret, each `{"n": <version>}`, as another client. */
async function made(versions = 1, path = `made/s${++count}`): Promise<string> {
  for (let n = 1; n <= versions; n++) await secrets.direct.write(`secret/data/${path}`, { data: { n } });
  return path;
}
const reveal = (path: string, version?: number, page = admin) =>
  page.send('POST', secretAt(path, '/reveal'), { body: { ...(version !== undefined && { version }) } });

test('shows a secret that is written during a read as nonexistent or with its field names', async () => {
  for (let round = 0; round < 40; round++) {
    const path = `made/meanwhile${round}`;
    const reads = Array.from({ length: 12 }, () => admin.send('GET', secretAt(path)));
    // A little later in each round, to fall between the read's requests.
    for (let turn = 0; turn < round; turn++) await setImmediate();
    await made(1, path);
    for (const { status, json } of await Promise.all(reads)) {
      expect(status === 404 || (json['version'] as { structure: string | null }).structure).toBeTruthy();
    }
  }
});

describe('engines and folders', () => {
  test('are listed with what the caller may do there', async () => {
    await secrets.direct.write('sys/mounts/team/kv', { type: 'kv', options: { version: '2' } });
    const answer = await admin.send('GET', `${secretsApi}/mounts`);
    expect(answer.json['items']).toMatchObject([
      { path: 'secret', version: 2, may: { list: true, read_settings: true, change_settings: true } },
      { path: 'team/kv', version: 2 },
    ]);
    const reader = await secrets.signedIn('read-only');
    expect((await reader.send('GET', `${secretsApi}/mounts`)).json['items']).toMatchObject([
      { path: 'secret', may: { list: true, read_settings: true, change_settings: false } },
      { path: 'team/kv' },
    ]);
  });

  test('a folder is paged, whatever names it has', async () => {
    const names = ['a b', 'a%2Fb', 'a"quote', "it's", 'über', '日本', '#?&', 'z'];
    for (const name of names) {
      await secrets.direct.write(`secret/data/odd/${encodeURIComponent(name)}`, { data: { name } });
    }
    await secrets.direct.write('secret/data/odd/z/below', { data: {} });
    const folder = `${secretsApi}/mounts/secret/folder?path=odd`;
    const all = await admin.send('GET', folder);
    expect(all.json['total']).toBe(names.length + 1);
    const items = all.json['items'] as { name: string; path: string; folder: boolean }[];
    expect(items.map(({ name }) => name)).toEqual([...names, 'z'].sort());
    expect(items.filter(({ folder: isFolder }) => isFolder)).toEqual([
      { name: 'z', path: 'odd/z', folder: true },
    ]);
    const paged: unknown[] = [];
    let after: unknown = '';
    do {
      const page = await admin.send(
        'GET',
        `${folder}&page_size=2&after=${encodeURIComponent(String(after))}`,
      );
      paged.push(...(page.json['items'] as unknown[]));
      after = page.json['next_after'];
    } while (after !== undefined);
    expect(paged).toEqual(items);
    for (const { path } of items.filter(({ folder: isFolder }) => !isFolder)) {
      const one = await admin.send('GET', secretAt(path));
      expect(one.json, path).toMatchObject({ path, version: { structure: '{"name":null}' } });
    }
    expect((await admin.send('GET', `${secretsApi}/mounts/secret/folder?path=nothing`)).json).toEqual({
      items: [],
      total: 0,
    });
  });

  test.each(['/a', 'a/', 'a//b', '../x', 'a/./b', 'a\nb'])('%j is refused as a path', async (path) => {
    expect((await admin.send('GET', secretAt(path))).status).toBe(400);
    expect(
      (await admin.send('GET', `${secretsApi}/mounts/secret/folder?path=${encodeURIComponent(path)}`)).status,
    ).toBe(400);
  });
});

describe('reading', () => {
  test('shows field names without values, and a recorded reveal shows the text exactly as written', async () => {
    const data =
      '{"big":12345678901234567890.10,"z":1,"a":{"deep":"canary-deep","__proto__":"canary-proto"},"text":"canary\\u0000\\n"}';
    const path = await made(0);
    const created = await admin.send('POST', secretAt(path), { body: { data } });
    expect(created.json).toMatchObject({
      mount: 'secret',
      path,
      revision: '1',
      version: 1,
      state: 'readable',
    });
    const seen = await admin.send('GET', secretAt(path));
    expect(seen.json).toMatchObject({ revision: '1', may: { read: true, destroy: true, list: true } });
    expect(JSON.parse((seen.json['version'] as { structure: string }).structure)).toHaveProperty(
      'a.deep',
      null,
    );
    expect(seen.text).not.toContain('canary');
    const shown = await reveal(path);
    expect(shown.json).toMatchObject({ revision: '1', version: 1, data });
    expect(shown.headers['cache-control']).toBe('no-store');
    const activity = await admin.send('GET', '/api/environments/test/activity?action=secret.reveal');
    expect(activity.json['items']).toMatchObject([
      { service: 'secrets', resource: { kind: 'secret', id: `secret/${path}` }, outcome: 'succeeded' },
    ]);
    const all = await admin.send('GET', '/api/environments/test/activity');
    expect(all.text).not.toContain('canary');
  });

  test('the trail names the fields that a write changed, and those that were written if only writing is allowed', async () => {
    const path = await made(0);
    const write = (revision: string, data: string) =>
      admin.send('PUT', secretAt(path), { revision, body: { data } });
    await admin.send('POST', secretAt(path), { body: { data: '{"kept":1,"old":"x","gone":"canary"}' } });
    await write('1', '{"kept": 1,"old":"canary","new":"y"}');
    await write('2', '{"kept": 1,"old":"canary","new":"y"}');
    // A conflict changes nothing.
    await write('1', '{"kept":2}');
    const trail = await admin.send('GET', `/api/environments/test/activity?resource_id=secret/${path}`);
    expect((trail.json['items'] as { paths: string[] }[]).map(({ paths }) => paths)).toEqual([
      ['data.kept'],
      ['unchanged=data'],
      ['removed=data.gone', 'changed=data.old', 'added=data.new'],
      ['data.kept', 'data.old', 'data.gone'],
    ]);
    expect(trail.text).not.toContain('canary');
    const found = await admin.send('GET', '/api/environments/test/activity?q=removed=data.gone');
    expect(found.json['items']).toHaveLength(1);
  });

  test('reveals only some fields byte for byte, and the trail names them like written fields', async () => {
    const path = await made(0);
    await admin.send('POST', secretAt(path), {
      body: {
        data: '{ "a.b": 1e400, "user": "canary", "a.b": {"x": 12345678901234567890}, "__proto__": 0 }',
      },
    });
    await admin.send('PATCH', secretAt(path), {
      revision: '1',
      body: { data: '{"user":null,"new":"canary"}' },
    });
    const some = await admin.send('POST', secretAt(path, '/reveal'), {
      body: { version: 1, fields: ['a.b', 'none'] },
    });
    expect(some.json).toMatchObject({
      revision: '2',
      data: '{"a.b":1e400,"a.b":{"x": 12345678901234567890}}',
    });
    expect((await admin.send('POST', secretAt(path, '/reveal'), { body: { fields: [] } })).status).toBe(400);
    await admin.send('PUT', secretAt(path), { revision: '2', body: { data: '{"canary' } });
    const trail = await admin.send('GET', `/api/environments/test/activity?resource_id=secret/${path}`);
    expect((trail.json['items'] as { paths: string[] }[]).map(({ paths }) => paths)).toEqual([
      ['data'],
      ['version=1', 'data.a.b', 'data.none'],
      ['removed=data.user', 'added=data.new'],
      ['data.a.b', 'data.user', 'data.__proto__'],
    ]);
    expect(trail.text).not.toContain('canary');
  });

  test('an older version names the newest', async () => {
    const path = await made(3);
    expect((await admin.send('GET', `${secretAt(path)}?version=2`)).json).toMatchObject({
      revision: '3',
      version: { version: 2, structure: '{"n":null}' },
    });
    expect((await reveal(path, 2)).json).toMatchObject({ revision: '3', version: 2, data: '{"n":2}' });
    expect((await reveal(path, 9)).status).toBe(404);
    expect((await admin.send('GET', `${secretAt(path)}?version=9`)).status).toBe(404);
    expect((await admin.send('GET', secretAt('made/nothing'))).json).toMatchObject({ code: 'not-found' });
  });

  test('a deleted or destroyed version has a state and no values', async () => {
    const path = await made(2);
    await secrets.direct.write(`secret/destroy/${path}`, { versions: [1] });
    await secrets.direct.delete(`secret/data/${path}`);
    const seen = await admin.send('GET', secretAt(path));
    expect(seen.json).toMatchObject({
      revision: '2',
      version: { version: 2, state: 'deleted', structure: null },
    });
    expect((await reveal(path, 1)).json).toMatchObject({ revision: '2', state: 'destroyed', data: null });
  });

  test('metadata contains versions, newest first, and settings with their own revision', async () => {
    const path = await made(2);
    const { json } = await admin.send(
      'GET',
      `${secretsApi}/mounts/secret/metadata/${encodeURIComponent(path)}`,
    );
    expect(json).toMatchObject({
      current_version: 2,
      max_versions: 0,
      delete_version_after: '0s',
      versions: [
        { version: 2, state: 'readable' },
        { version: 1, state: 'readable' },
      ],
      may: { write_metadata: true },
    });
  });

  test('a secret with only metadata has revision 0, on which a first version is written', async () => {
    const path = await made(0);
    const metadata = `${secretsApi}/mounts/secret/metadata/${encodeURIComponent(path)}`;
    const fields = {
      max_versions: 3,
      cas_required: true,
      delete_version_after: '0s',
      custom_metadata: { a: 'b' },
    };
    const written = await admin.send('PUT', metadata, { revision: 'none', body: fields });
    expect(written.json).toMatchObject({ ...fields, current_version: 0, versions: [] });
    expect((await admin.send('PUT', metadata, { revision: 'none', body: fields })).status).toBe(200);
    expect(
      (await admin.send('PUT', metadata, { revision: 'none', body: { ...fields, max_versions: 4 } })).json,
    ).toMatchObject({ code: 'conflict', conflict: { reason: 'created' } });
    expect((await admin.send('GET', secretAt(path))).json).toMatchObject({ revision: '0', version: null });
    const first = await admin.send('PUT', secretAt(path), { revision: '0', body: { data: '{"a":1}' } });
    expect(first.json).toMatchObject({ revision: '1', custom_metadata: { a: 'b' } });
  });
});

describe('writing', () => {
  test('requires the version that the user saw, and a conflict shows field names of the newest and the seen one', async () => {
    const path = await made(1);
    const theirs = { data: '{"n":"canary","o":{"p":"canary"}}' };
    const second = await admin.send('PUT', secretAt(path), { revision: '1', body: theirs });
    expect(second.json).toMatchObject({ revision: '2' });
    const stale = await admin.send('PUT', secretAt(path), { revision: '1', body: { data: '{"n":"other"}' } });
    expect(stale.status).toBe(409);
    expect(stale.json['conflict']).toMatchObject({
      resource: { service: 'secrets', kind: 'secret', id: `secret/${path}` },
      reason: 'modified',
      expectedRevision: '1',
      currentRevision: '2',
      current: { version: 2, state: 'readable', structure: '{"n":null,"o":{"p":null}}' },
      base: { version: 1, revision: '1', structure: '{"n":null}' },
      changedAt: expect.stringMatching(/^2/),
    });
    // Only a recorded reveal returns values.
    const reveals = async () => {
      const query = new URLSearchParams({ action: 'secret.reveal', resource_id: `secret/${path}` });
      const { json } = await admin.send('GET', `/api/environments/test/activity?${query.toString()}`);
      return json['items'];
    };
    for (const { text, json } of [
      stale,
      await admin.send('POST', secretAt(path), { body: { data: '{"n":2}' } }),
      await admin.send('PATCH', secretAt(path), { revision: '1', body: { data: '{"n":2}' } }),
      await admin.send('POST', secretAt(path, '/restore'), { revision: '1', body: { version: 1 } }),
      await admin.send('DELETE', secretAt(path), { revision: '1' }),
    ]) {
      expect(json).toMatchObject({
        code: 'conflict',
        conflict: { current: { structure: expect.any(String) } },
      });
      expect(text).not.toMatch(/canary|"data"/);
    }
    expect(await reveals()).toEqual([]);
    await reveal(path, 2);
    expect(await reveals()).toMatchObject([{ action: 'secret.reveal', paths: ['version=2'] }]);
    expect((await admin.send('PUT', secretAt(path), { body: { data: '{}' } })).status).toBe(428);
    expect((await admin.send('PUT', secretAt(path), { revision: 'x', body: { data: '{}' } })).status).toBe(
      400,
    );
  });

  test("takes a number that rounds to the stored one for another's", async () => {
    const [theirs, ours] = ['{"id":9007199254740992}', '{"id":9007199254740993}'];
    for (const send of [
      (path: string) => admin.send('PUT', secretAt(path), { revision: '1', body: { data: ours } }),
      (path: string) => admin.send('PATCH', secretAt(path), { revision: '1', body: { data: ours } }),
      (path: string) =>
        admin.send('POST', secretAt(path, '/restore'), { revision: '1', body: { version: 1 } }),
    ]) {
      const path = await made(0);
      await admin.send('POST', secretAt(path), { body: { data: ours } });
      await admin.send('PUT', secretAt(path), { revision: '1', body: { data: theirs } });
      expect((await send(path)).json).toMatchObject({ code: 'conflict', conflict: { currentRevision: '2' } });
    }
  });

  test("doesn't create a secret that exists, or update one that is gone", async () => {
    const path = await made(1);
    const again = await admin.send('POST', secretAt(path), { body: { data: '{"x":1}' } });
    expect(again.json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'created', currentRevision: '1', base: null },
    });
    await secrets.direct.delete(`secret/metadata/${path}`);
    const gone = await admin.send('PUT', secretAt(path), { revision: '1', body: { data: '{}' } });
    expect(gone.json).toMatchObject({ code: 'conflict', conflict: { reason: 'deleted', current: null } });
  });

  test.each(['PUT', 'PATCH'])(
    "%s: doesn't overwrite a version that was readable and has been deleted since",
    async (method) => {
      const path = await made(2);
      await secrets.direct.delete(`secret/data/${path}`);
      const write = (body: object) => admin.send(method, secretAt(path), { revision: '2', body });
      const refused = await write({ data: '{"a":1}', readable: true });
      expect(refused.json).toMatchObject({
        code: 'conflict',
        conflict: { reason: 'deleted', current: null },
      });
      expect((await admin.send('GET', secretAt(path))).json).toMatchObject({ revision: '2' });
      await secrets.direct.write(`secret/undelete/${path}`, { versions: [2] });
      expect((await write({ data: '{"a":1}', readable: true })).json).toMatchObject({ revision: '3' });
    },
  );

  test('a write waits for a deletion, which deletes no version that was not seen', async () => {
    const path = await made(1);
    const other = await secrets.signedIn();
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    secrets.proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith('DELETE ')) return undefined;
      held();
      return isReleased;
    };
    const deleting = admin.send('DELETE', secretAt(path), { revision: '1' });
    await isHeld;
    const writing = other.send('PUT', secretAt(path), { revision: '1', body: { data: '{"n":2}' } });
    // Without waiting, the write would be done before the deletion.
    for (let look = 0; look < 5; look++)
      expect((await other.send('GET', secretAt(path))).json['revision']).toBe('1');
    delete secrets.proxy.onRequest;
    release();
    expect((await deleting).status).toBe(204);
    expect((await writing).json).toMatchObject({ revision: '2' });
  });

  test('creates a deleted secret again after its last version, but not an existing one', async () => {
    const path = await made(2);
    const create = (body: object) =>
      admin.send('POST', secretAt(path), { body: { data: '{"x":1}', ...body } });
    const there = await create({ again: true });
    expect(there.json).toMatchObject({ conflict: { reason: 'created', currentRevision: '2' } });
    await secrets.direct.delete(`secret/data/${path}`);
    expect((await create({})).json).toMatchObject({ code: 'conflict', conflict: { reason: 'created' } });
    expect((await create({ again: true })).json).toMatchObject({ revision: '3', state: 'readable' });
    await secrets.direct.delete(`secret/metadata/${path}`);
    expect((await create({ again: true })).json).toMatchObject({ revision: '1' });
  });

  test.each([
    ['[1]', 'must be an object'],
    ['{"a":', 'A value is missing'],
    ['{"a":"canary}', 'not closed'],
  ])('%s is refused with the position of the error, without its text', async (data, message) => {
    const answer = await admin.send('POST', secretAt('made/bad'), { body: { data } });
    expect(answer.json).toMatchObject({
      code: 'invalid-request',
      fields: [{ path: 'data', message: expect.stringContaining(message) }],
    });
    expect(answer.text).not.toContain('canary');
  });

  test('accepts 4 MiB and refuses more', async () => {
    const path = await made(0);
    const data = `{"a":"${'"\\n'.replaceAll('"', '\\"').repeat(1_000_000)}"}`;
    const room = ' '.repeat(4 * 1024 * 1024 - data.length);
    expect((await admin.send('POST', secretAt(path), { body: { data: data + room } })).json).toMatchObject({
      revision: '1',
    });
    expect((await reveal(path)).json['data']).toBe(data);
    const more = await admin.send('PUT', secretAt(path), {
      revision: '1',
      body: { data: `${data + room} ` },
    });
    expect(more.json).toMatchObject({ code: 'payload-too-large' });
  });

  test('a patch changes some fields, and null removes one', async () => {
    const path = await made(0);
    await admin.send('POST', secretAt(path), { body: { data: '{"a":1,"b":{"c":2,"d":3}}' } });
    const answer = await admin.send('PATCH', secretAt(path), {
      revision: '1',
      body: { data: '{"a":null,"b":{"c":12345678901234567890}}' },
    });
    expect(answer.json).toMatchObject({ revision: '2' });
    expect((await reveal(path)).json['data']).toBe('{"b":{"c":12345678901234567890,"d":3}}');
    const stale = await admin.send('PATCH', secretAt(path), { revision: '1', body: { data: '{"a":9}' } });
    expect(stale.json).toMatchObject({ code: 'conflict', conflict: { base: { version: 1 } } });
    await secrets.direct.delete(`secret/data/${path}`);
    const deleted = await admin.send('PATCH', secretAt(path), { revision: '2', body: { data: '{"a":9}' } });
    expect(deleted.json).toMatchObject({ code: 'invalid-request', detail: expect.stringMatching(/deleted/) });
  });

  test('restores an older version as a new one without its values reaching the page', async () => {
    const path = await made(2);
    const answer = await admin.send('POST', secretAt(path, '/restore'), {
      revision: '2',
      body: { version: 1 },
    });
    expect(answer.json).toMatchObject({ revision: '3' });
    expect(answer.json).not.toHaveProperty('data');
    expect((await reveal(path)).json['data']).toBe('{"n":1}');
    const stale = await admin.send('POST', secretAt(path, '/restore'), {
      revision: '2',
      body: { version: 2 },
    });
    expect(stale.status, stale.text).toBe(409);
    await secrets.direct.write(`secret/destroy/${path}`, { versions: [2] });
    for (const [version, status] of [
      [2, 400],
      [9, 404],
    ] as const) {
      const refused = await admin.send('POST', secretAt(path, '/restore'), {
        revision: '3',
        body: { version },
      });
      expect(refused.status).toBe(status);
    }
  });
});

describe('deleting', () => {
  test('covers the newest version, versions by number, undeletion and permanent deletion', async () => {
    const path = await made(3);
    const stateOf = async () => {
      const { json } = await admin.send(
        'GET',
        `${secretsApi}/mounts/secret/metadata/${encodeURIComponent(path)}`,
      );
      return (json['versions'] as { state: string }[]).map(({ state }) => state).join(' ');
    };
    expect((await admin.send('DELETE', secretAt(path), { revision: '2' })).json).toMatchObject({
      code: 'conflict',
      conflict: { currentRevision: '3', current: { structure: '{"n":null}' } },
    });
    expect((await admin.send('DELETE', secretAt(path), { revision: '3' })).status).toBe(204);
    expect((await admin.send('DELETE', secretAt(path), { revision: '3' })).status).toBe(204);
    expect(await stateOf()).toBe('deleted readable readable');
    const versions = (action: string, numbers: number[]) =>
      admin.send('POST', secretAt(path, `/${action}`), { body: { versions: numbers } });
    expect((await versions('undelete', [3])).status).toBe(204);
    expect((await versions('delete-versions', [1, 2])).status).toBe(204);
    expect(await stateOf()).toBe('readable deleted deleted');
    expect((await versions('destroy', [1])).status).toBe(204);
    expect(await stateOf()).toBe('readable deleted destroyed');
    expect((await versions('delete-versions', [])).status).toBe(400);
    expect(
      (await admin.send('POST', secretAt('made/no', '/undelete'), { body: { versions: [1] } })).status,
    ).toBe(404);
    const forever = (revision: string) => admin.send('POST', secretAt(path, '/delete-forever'), { revision });
    expect((await forever('2')).json).toMatchObject({ code: 'conflict' });
    const metadata = `${secretsApi}/mounts/secret/metadata/${encodeURIComponent(path)}`;
    const seen = async () => {
      const { updated_time: time, revision, versions: rows } = (await admin.send('GET', metadata)).json;
      const [newest] = rows as { version: number; created_time: string }[];
      return `3@${newest?.created_time}@${String(time)}@${String(revision)}`;
    };
    const before = await seen();
    await secrets.direct.write(`secret/metadata/${path}`, { custom_metadata: { owner: 'them' } });
    expect((await forever(before)).json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'modified', currentRevision: await seen() },
    });
    expect((await forever('x@1')).status).toBe(400);
    expect((await forever(`3@2020-01-01T00:00:00Z`)).json).toMatchObject({ code: 'conflict' });
    expect((await forever(await seen())).status).toBe(204);
    expect((await forever('3')).json).toMatchObject({ code: 'not-found' });
  });
});

test('deletes and destroys versions only of the secret that was shown, not of another one at the path', async () => {
  const path = await made(1);
  const metadata = `${secretsApi}/mounts/secret/metadata/${encodeURIComponent(path)}`;
  const created = async () => {
    const { versions } = (await admin.send('GET', metadata)).json;
    return (versions as { created_time: string }[]).map(({ created_time: time }) => time);
  };
  const seen = await created();
  await secrets.direct.delete(`secret/metadata/${path}`);
  const act = (action: string, times: readonly string[]) =>
    admin.send('POST', secretAt(path, `/${action}`), { body: { versions: [1], created_times: times } });
  expect((await act('destroy', seen)).status).toBe(404);
  secrets.console.clock.advance(1000);
  await secrets.direct.write(`secret/data/${path}`, { data: { a: 'of another person' } });
  for (const action of ['delete-versions', 'destroy'])
    expect((await act(action, seen)).json).toMatchObject({ code: 'conflict' });
  expect((await admin.send('GET', secretAt(path))).json).toMatchObject({ version: { state: 'readable' } });
  for (const action of ['delete-versions', 'destroy'])
    expect((await act(action, await created())).status).toBe(204);
});

test("doesn't show custom metadata with a key that parsers drop, so doesn't overwrite it either", async () => {
  const path = await made(1);
  const metadata = `${secretsApi}/mounts/secret/metadata/${encodeURIComponent(path)}`;
  await secrets.direct.write(`secret/metadata/${path}`, {
    custom_metadata: JSON.parse('{"__proto__":"vip","a":"1"}') as object,
  });
  for (const address of [metadata, secretAt(path)])
    expect((await admin.send('GET', address)).json).toMatchObject({ code: 'bad-answer' });
});

describe('settings', () => {
  test('of a secret can be replaced or patched, with a conflict', async () => {
    const path = await made(1);
    const metadata = `${secretsApi}/mounts/secret/metadata/${encodeURIComponent(path)}`;
    const first = String((await admin.send('GET', metadata)).json['revision']);
    const written = await admin.send('PUT', metadata, {
      revision: first,
      body: {
        max_versions: 5,
        cas_required: false,
        delete_version_after: '36h',
        custom_metadata: { owner: 'team a' },
      },
    });
    expect(written.json, written.text).toMatchObject({
      max_versions: 5,
      custom_metadata: { owner: 'team a' },
    });
    const stale = await admin.send('PATCH', metadata, { revision: first, body: { max_versions: 7 } });
    expect(stale.json).toMatchObject({
      code: 'conflict',
      conflict: { resource: { kind: 'secret-metadata' }, current: { max_versions: 5 } },
    });
    const patched = await admin.send('PATCH', metadata, {
      revision: String(written.json['revision']),
      body: { custom_metadata: { owner: null, note: 'x' } },
    });
    expect(patched.json).toMatchObject({ max_versions: 5, custom_metadata: { note: 'x' } });
    expect(patched.json['custom_metadata']).not.toHaveProperty('owner');
    expect((await admin.send('PATCH', metadata, { revision: 'x', body: {} })).status).toBe(400);
    expect(
      (await admin.send('PATCH', metadata, { revision: 'x', body: { delete_version_after: 'soon' } })).json,
    ).toMatchObject({ fields: [{ path: 'delete_version_after' }] });
  });

  test('custom metadata keeps names that end with a backslash or a quote', async () => {
    const settings = { max_versions: 0, cas_required: false, delete_version_after: '0s' };
    for (const name of ['x\\', 'x"']) {
      const metadata = `${secretsApi}/mounts/secret/metadata/${encodeURIComponent(await made(1))}`;
      const revision = String((await admin.send('GET', metadata)).json['revision']);
      const body = { ...settings, custom_metadata: { a: '1', [name]: '2' } };
      expect((await admin.send('PUT', metadata, { revision, body })).status).toBe(200);
      const { text } = await admin.send('GET', metadata);
      expect(text).toContain(`"custom_metadata":{"a":"1",${JSON.stringify(name)}:"2"}`);
    }
  });

  test('of an engine', async () => {
    const settings = `${secretsApi}/mounts/${encodeURIComponent('team/kv')}/settings`;
    const before = await admin.send('GET', settings);
    expect(before.json).toMatchObject({ mount: 'team/kv', may: { change: true } });
    const body = { max_versions: 20, cas_required: false, delete_version_after: '1d' };
    const revision = String(before.json['revision']);
    const changed = await admin.send('PUT', settings, { revision, body });
    expect(changed.json).toMatchObject({ max_versions: 20, delete_version_after: '24h0m0s' });
    expect((await admin.send('PUT', settings, { revision, body })).status).toBe(200);
    expect(
      (await admin.send('PUT', settings, { revision, body: { ...body, max_versions: 2 } })).json,
    ).toMatchObject({ code: 'conflict', conflict: { resource: { kind: 'secret-engine', id: 'team/kv' } } });
    const reader = await secrets.signedIn('read-only');
    expect(
      (
        await reader.send('PUT', settings, {
          revision: String(changed.json['revision']),
          body: { ...body, max_versions: 3 },
        })
      ).json,
    ).toMatchObject({ code: 'forbidden' });
  });
});

describe('comparing a value', () => {
  test('names the field and version that hold it, and nothing else', async () => {
    const path = await made(0);
    await admin.send('POST', secretAt(path), { body: { data: '{"db":{"pass/word":"old-one"},"n":1}' } });
    secrets.console.clock.advance(60_000);
    await admin.send('PUT', secretAt(path), { revision: '1', body: { data: '{"db":{"pass/word":"new"}}' } });
    const compare = (value: string, page = admin) =>
      page.send('POST', secretAt(path, '/compare'), { body: { value } });
    const found = await compare('old-one\n');
    expect(found.json).toMatchObject({
      matches: [{ field: '/db/pass~1word', version: 1, current: false, superseded_time: expect.any(String) }],
      matched: 1,
      compared: 2,
      unreadable: [],
    });
    expect((await compare('1')).json['matches']).toMatchObject([{ field: '/n', version: 1 }]);
    expect((await compare('nothing')).json['matches']).toEqual([]);
    const activity = await admin.send('GET', '/api/environments/test/activity?action=secret.compare');
    expect(activity.text).not.toContain('old-one');
    const many = await made(0);
    const data = JSON.stringify(Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [at, 'same'])));
    await admin.send('POST', secretAt(many), { body: { data } });
    const all = await admin.send('POST', secretAt(many, '/compare'), { body: { value: 'same' } });
    expect(all.json).toMatchObject({ matched: 1500, matches: { length: 1000 } });
    const reader = await secrets.signedIn('read-only');
    const answers = [];
    for (let n = 0; n < 11; n++) answers.push((await compare('x', reader)).status);
    expect(answers.filter((status) => status === 429)).toHaveLength(1);
    const blind = await secrets.withPolicy(
      'blind',
      'path "secret/metadata/*" { capabilities = ["read", "list"] }',
    );
    expect((await compare('x', blind)).json).toMatchObject({ code: 'forbidden' });
  });
});
