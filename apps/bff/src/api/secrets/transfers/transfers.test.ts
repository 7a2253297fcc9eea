import type { ImportPreviewItem } from '@gatehouse/api-types/console/secret-transfers';
import { testPassword } from '@gatehouse/secrets-server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { confirmAs } from '#test/console.ts';
import { linesOf, secretAt, secretsApi, startSecrets, type SecretsConsole } from '#test/secrets.ts';

let secrets: SecretsConsole;
let admin: Browser;
let count = 0;
let root = '';

beforeAll(async () => {
  secrets = await startSecrets({ kind: 'production', bff: { limits: { callMs: 600, connectMs: 600 } } });
  admin = await secrets.signedIn();
  await confirmAs(admin, testPassword);
  await secrets.direct.write('sys/mounts/other', { type: 'kv', options: { version: '2' } });
});
afterAll(() => secrets[Symbol.asyncDispose]());
beforeEach(() => {
  root = `t${++count}`;
  secrets.proxy.fault = { kind: 'none' };
  secrets.proxy.cutNext = undefined;
});

async function write(path: string, ...versions: object[]): Promise<void> {
  for (const data of versions) await secrets.direct.write(`secret/data/${path}`, { data });
}
const transfer = async (body: object, page = admin) => page.send('POST', `${secretsApi}/transfer`, { body });
const secretMove = (to: string, more: object = {}) => ({
  kind: 'secret',
  from: { mount: 'secret', path: `${root}/a` },
  to: { mount: 'secret', path: `${root}/${to}` },
  mode: 'move',
  versions: 'latest',
  ...more,
});
const read = async (path: string) => (await secrets.direct.read(`secret/data/${path}`)).data['data'];
const metadata = async (path: string, mount = 'secret') =>
  (await secrets.direct.read(`${mount}/metadata/${path}`)).data;
const entriesOf = async (path: string) => {
  const { json } = await admin.send('GET', `/api/environments/test/activity?resource_id=secret/${path}`);
  return json['items'] as object[];
};
const gone = async (path: string, mount = 'secret') =>
  (await secrets.direct.read(`${mount}/metadata/${path}`)).status === 404;

describe('a secret', () => {
  test('is moved with its newest version and settings, step by step', async () => {
    await write(`${root}/a`, { v: 1 }, { v: 2 });
    await secrets.direct.write(`secret/metadata/${root}/a`, {
      custom_metadata: { owner: 'x' },
      max_versions: 4,
    });
    const lines = linesOf(await transfer(secretMove('b', { revision: '2' })));
    expect(lines).toMatchObject([
      { kind: 'plan', secrets: 1 },
      { kind: 'step', action: 'write', path: `${root}/b`, version: 1 },
      { kind: 'step', action: 'settings', path: `${root}/b`, state: 'done' },
      { kind: 'step', action: 'check', path: `${root}/b`, detail: expect.stringMatching(/1 was not/) },
      { kind: 'step', action: 'remove', path: `${root}/a` },
      { kind: 'end', outcome: 'done', written: 1, removed: 1 },
    ]);
    expect(await gone(`${root}/a`)).toBe(true);
    expect(await read(`${root}/b`)).toEqual({ v: 2 });
    expect(await metadata(`${root}/b`)).toMatchObject({ max_versions: 4, custom_metadata: { owner: 'x' } });
    const activity = await admin.send('GET', '/api/environments/test/activity?action=secret.transfer');
    expect((activity.json['items'] as object[])[0]).toMatchObject({
      outcome: 'succeeded',
      resource: { kind: 'secret', id: `secret/${root}/a` },
      paths: expect.arrayContaining([`to=secret/${root}/b`, 'mode']),
    });
    // Each secret has its own entries, with their author.
    expect(await entriesOf(`${root}/b`)).toMatchObject([
      { action: 'secret-metadata.update', person: { login_name: 'admin' }, outcome: 'succeeded' },
      { action: 'secret.create', revision_after: '1', paths: ['part-of=secret.transfer', 'data.v'] },
    ]);
    expect((await entriesOf(`${root}/a`))[0]).toMatchObject({ action: 'secret.delete-forever' });
  });

  test('is copied to another engine with all readable versions', async () => {
    await write(`${root}/a`, { v: 1 }, { v: 2 }, { v: 3 });
    await secrets.direct.write(`secret/delete/${root}/a`, { versions: [2] });
    const body = secretMove('x', {
      mode: 'copy',
      versions: 'all',
      to: { mount: 'other', path: `${root}/x` },
    });
    const lines = linesOf(await transfer(body));
    expect(lines.at(-1)).toMatchObject({ outcome: 'done', written: 1, removed: 0 });
    expect(await metadata(`${root}/x`, 'other')).toMatchObject({ current_version: 2 });
    expect((await secrets.direct.read(`other/data/${root}/x?version=1`)).data['data']).toEqual({ v: 1 });
    expect(await gone(`${root}/a`)).toBe(false);
  });

  test('is not moved onto another, after a change, or without a password', async () => {
    await write(`${root}/a`, { v: 1 });
    await write(`${root}/b`, { v: 1 });
    expect((await transfer(secretMove('b'))).json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'created', resource: { id: `secret/${root}/b` } },
    });
    await write(`${root}/a`, { v: 2 });
    expect((await transfer(secretMove('c', { revision: '1' }))).json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'modified', currentRevision: '2' },
    });
    expect((await transfer(secretMove('a'))).status).toBe(400);
    expect(
      (await transfer({ ...secretMove('c'), from: { mount: 'secret', path: `${root}/none` } })).status,
    ).toBe(404);
    const fresh = await secrets.signedIn('operator');
    secrets.console.clock.advance(11 * 60_000);
    expect((await transfer(secretMove('c'), fresh)).json).toMatchObject({ code: 'confirmation-required' });
    admin = await secrets.signedIn();
    await confirmAs(admin, testPassword);
    expect(await gone(`${root}/c`)).toBe(true);
  });
});

describe('a folder', () => {
  const folder = (to: string, more: object = {}) => ({
    ...secretMove(to, more),
    kind: 'folder',
    from: { mount: 'secret', path: `${root}/f` },
  });

  test('is moved completely', async () => {
    for (const name of ['a', 'b/c', 'b/d']) await write(`${root}/f/${name}`, { name });
    const lines = linesOf(await transfer(folder('g')));
    expect(lines.at(-1)).toMatchObject({ outcome: 'done', written: 3, removed: 3 });
    expect(await read(`${root}/g/b/d`)).toEqual({ name: 'b/d' });
    expect((await secrets.direct.list(`secret/metadata/${root}/f`)).status).toBe(404);
    expect((await transfer({ ...folder('g'), to: { mount: 'secret', path: `${root}/f/x` } })).status).toBe(
      400,
    );
  });

  test("is restored if it can't be copied completely, whichever step fails", async () => {
    const operator = await secrets.signedIn('operator');
    await confirmAs(operator, testPassword);
    const allow = (...rules: string[]) =>
      secrets.direct.write('sys/policies/acl/operator', {
        policy: [
          'path "secret/*" { capabilities = ["create", "read", "update", "delete", "list"] }',
          `path "secret/data/${root}/g/c" { capabilities = ["deny"] }`,
          ...rules,
        ].join('\n'),
      });
    await allow();
    secrets.proxy.onRequest = async (bytes) => {
      if (bytes.includes(`POST /v1/secret/data/${root}/h/b`))
        await allow(`path "secret/metadata/${root}/h/b" { capabilities = ["read", "delete"] }`);
    };
    for (const name of ['a', 'b', 'c']) await write(`${root}/f/${name}`, { name });
    await secrets.direct.write(`secret/metadata/${root}/f/b`, { max_versions: 3 });
    for (const [to, action] of [
      ['g', 'write'],
      ['h', 'settings'],
    ]) {
      const lines = linesOf(await transfer(folder(String(to)), operator));
      expect(
        lines.find((line) => line['state'] === 'failed'),
        JSON.stringify(lines),
      ).toMatchObject({ action });
      expect(lines.filter((line) => line['action'] === 'undo').length).toBeGreaterThan(0);
      expect(lines.at(-1)).toMatchObject({ kind: 'end', code: 'forbidden', removed: 0 });
      for (const name of ['a', 'b', 'c']) {
        expect(await gone(`${root}/${String(to)}/${name}`), `${String(to)}/${name}`).toBe(true);
        expect(await gone(`${root}/f/${name}`)).toBe(false);
      }
    }
    delete secrets.proxy.onRequest;
    // Known from the start.
    expect((await transfer(folder('h'), operator)).json).toMatchObject({ code: 'forbidden' });
  });

  test("is not copied if its sources can't be deleted", async () => {
    await write(`${root}/f/a`, { v: 1 });
    await write(`${root}/f/b`, { v: 1 });
    const operator = await secrets.signedIn('operator');
    await confirmAs(operator, testPassword);
    await secrets.direct.write('sys/policies/acl/operator', {
      policy: [
        'path "secret/*" { capabilities = ["create", "read", "update", "delete", "list"] }',
        `path "secret/metadata/${root}/f/b" { capabilities = ["read"] }`,
      ].join('\n'),
    });
    expect((await transfer(folder('g'), operator)).json).toMatchObject({ code: 'forbidden' });
    expect(await gone(`${root}/g/a`)).toBe(true);
    expect(linesOf(await transfer(folder('g', { mode: 'copy' }), operator)).at(-1)).toMatchObject({
      outcome: 'done',
    });
  });

  test('leaves alone what someone else writes to its destination', async () => {
    for (const name of ['a', 'b']) await write(`${root}/f/${name}`, { name });
    let put: Promise<unknown> | undefined;
    // After all secrets were checked, and before b is copied.
    secrets.proxy.onRequest = (bytes) => {
      if (bytes.includes(`POST /v1/secret/data/${root}/g/a`)) put = write(`${root}/g/b`, { v: 'theirs' });
    };
    const lines = linesOf(await transfer(folder('g')));
    delete secrets.proxy.onRequest;
    await put;
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({
      code: 'conflict',
      outcome: 'undone',
      removed: 0,
    });
    expect(await read(`${root}/g/b`)).toEqual({ v: 'theirs' });
    expect(await gone(`${root}/g/a`)).toBe(true);
    expect(await read(`${root}/f/a`)).toEqual({ name: 'a' });
  });

  const theirs = { custom_metadata: { owner: 'them' }, max_versions: 9 };
  test.each([
    ['a secret', 'write', true],
    ['custom metadata and settings', 'write', false],
    ['custom metadata and settings directly before the first version', 'settings', false],
  ])('keeps %s that someone else creates at its destination', async (_what, action, hasValues) => {
    for (const name of ['a', 'b']) {
      await write(`${root}/f/${name}`, { name });
      await secrets.direct.write(`secret/metadata/${root}/f/${name}`, { custom_metadata: { is: 'ours' } });
    }
    const last = action === 'write' ? 'a' : 'b';
    secrets.proxy.onRequest = async (bytes) => {
      if (!bytes.includes(`POST /v1/secret/data/${root}/g/${last}`)) return;
      if (hasValues) await write(`${root}/g/b`, { v: 'theirs' });
      await secrets.direct.write(`secret/metadata/${root}/g/b`, theirs);
      secrets.console.clock.advance(1);
    };
    const lines = linesOf(await transfer(folder('g', { mode: 'copy' })));
    delete secrets.proxy.onRequest;
    expect(lines.find(({ state }) => state === 'failed')).toMatchObject({ action, path: `${root}/g/b` });
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ outcome: 'undone', code: 'conflict' });
    expect(await metadata(`${root}/g/b`)).toMatchObject(theirs);
    expect(await read(`${root}/g/b`)).toEqual(
      hasValues ? { v: 'theirs' } : action === 'write' ? undefined : null,
    );
    expect(await gone(`${root}/g/a`)).toBe(true);
  });

  test('keeps a secret with the same values that someone else creates at its destination', async () => {
    for (const name of ['a', 'b']) await write(`${root}/f/${name}`, { name });
    secrets.proxy.onRequest = async (bytes) => {
      if (bytes.includes(`POST /v1/secret/data/${root}/g/b`)) await write(`${root}/g/b`, { name: 'b' });
    };
    const lines = linesOf(await transfer(folder('g')));
    delete secrets.proxy.onRequest;
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ outcome: 'undone', code: 'conflict' });
    expect(await read(`${root}/g/b`)).toEqual({ name: 'b' });
    expect(await gone(`${root}/g/a`)).toBe(true);
  });

  const sources = `path "secret/data/*" { capabilities = ["read"] }
    path "secret/metadata/*" { capabilities = ["read", "list", "delete"] }`;
  const all = '"create", "update", "delete"';
  test("keeps a secret that the user can't read at its destination", async () => {
    await write(`${root}/f/a`, { v: 1 });
    await secrets.direct.write(`secret/metadata/${root}/f/a`, { custom_metadata: { is: 'ours' } });
    await write(`${root}/g/a`, { v: 'theirs' });
    await secrets.direct.write(`secret/metadata/${root}/g/a`, theirs);
    const page = await secrets.withPolicy(
      'unseeing',
      `${sources}
       path "secret/data/${root}/g/*" { capabilities = [${all}] }
       path "secret/metadata/${root}/g/*" { capabilities = [${all}] }`,
    );
    const lines = linesOf(await transfer(folder('g', { mode: 'copy' }), page));
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ outcome: 'undone', code: 'conflict' });
    expect(await metadata(`${root}/g/a`)).toMatchObject(theirs);
    expect(await read(`${root}/g/a`)).toEqual({ v: 'theirs' });
  });

  test.each([
    ['their values, deletes only its versions', '"read",', { outcome: 'undone' }, null],
    ['anything, leaves it', '', { outcome: 'partly' }, { name: 'a' }],
  ])("a user whose copy is undone and who can't read more than %s", async (_how, more, end, left) => {
    for (const name of ['a', 'b']) await write(`${root}/f/${name}`, { name });
    await write(`${root}/g/b`, { v: 'theirs' });
    const page = await secrets.withPolicy(
      'copier',
      `${sources}
       path "secret/data/${root}/g/b" { capabilities = [${all}] }
       path "secret/data/${root}/g/*" { capabilities = [${more} ${all}] }
       path "secret/subkeys/${root}/g/*" { capabilities = ["deny"] }
       path "secret/delete/*" { capabilities = ["update"] }
       path "secret/metadata/${root}/g/*" { capabilities = [${all}] }`,
    );
    const lines = linesOf(await transfer(folder('g', { mode: 'copy' }), page));
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ ...end, code: 'conflict' });
    expect(await read(`${root}/g/a`)).toEqual(left);
    expect(await gone(`${root}/g/a`)).toBe(false);
    expect(await read(`${root}/g/b`)).toEqual({ v: 'theirs' });
    expect(lines.at(-2)).toMatchObject({
      action: 'undo',
      path: `${root}/g/a`,
      detail: expect.stringMatching(
        left === null ? /only the copied versions were deleted/ : /left as it is/,
      ),
    });
    const undone = await entriesOf(`${root}/g/a`);
    expect(undone.length).toBe(left === null ? 2 : 1);
  });

  test("copies no settings to a path whose metadata the user can't read, and moves nothing there", async () => {
    await write(`${root}/f/a`, { v: 1 });
    await secrets.direct.write(`secret/metadata/${root}/f/a`, { custom_metadata: { is: 'ours' } });
    await secrets.direct.write(`secret/metadata/${root}/g/a`, theirs);
    const page = await secrets.withPolicy(
      'half-seeing',
      `${sources}
       path "secret/data/${root}/g/*" { capabilities = ["read", ${all}] }
       path "secret/metadata/${root}/g/*" { capabilities = [${all}] }`,
      true,
    );
    const moved = await transfer(folder('g'), page);
    expect(moved.json, moved.text).toMatchObject({ code: 'forbidden' });
    expect(await read(`${root}/g/a`)).toBeUndefined();
    const lines = linesOf(await transfer(folder('g', { mode: 'copy' }), page));
    expect(lines.find((line) => line['action'] === 'settings')).toMatchObject({
      state: 'skipped',
      detail: expect.stringContaining("weren't copied"),
    });
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({
      outcome: 'done',
      written: 1,
      detail: "The settings and custom metadata of 1 secret weren't copied.",
    });
    expect(await metadata(`${root}/g/a`)).toMatchObject(theirs);
    expect(await read(`${root}/g/a`)).toEqual({ v: 1 });
  });

  test('a write whose answer is lost stays unknown to a user who can read nothing there', async () => {
    await write(`${root}/f/a`, { v: 1 });
    const page = await secrets.withPolicy(
      'blind',
      `${sources}
       path "secret/data/${root}/g/*" { capabilities = [${all}] }
       path "secret/metadata/${root}/g/*" { capabilities = [${all}] }`,
    );
    let cut = false;
    secrets.proxy.onRequest = (bytes) => {
      if (cut || !bytes.includes(`POST /v1/secret/data/${root}/g/a`)) return;
      cut = true;
      secrets.proxy.cutNext = 0;
    };
    const lines = linesOf(await transfer(folder('g', { mode: 'copy' }), page));
    delete secrets.proxy.onRequest;
    expect(cut).toBe(true);
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ outcome: 'partly', code: 'outcome-unknown' });
    expect(await read(`${root}/g/a`)).toEqual({ v: 1 });
  });

  test('copies the time until versions are deleted, also to the first one', async () => {
    await write(`${root}/f/a`, { v: 1 }, { v: 2 });
    await secrets.direct.write(`secret/metadata/${root}/f/a`, {
      delete_version_after: '1h',
      cas_required: true,
    });
    const lines = linesOf(await transfer(folder('g', { versions: 'all' })));
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ outcome: 'done', removed: 1 });
    const copied = await metadata(`${root}/g/a`);
    expect(copied).toMatchObject({ delete_version_after: '1h0m0s', cas_required: true });
    for (const version of Object.values(copied['versions'] as Record<string, { deletion_time: string }>))
      expect(version.deletion_time).not.toBe('');
  });

  test.each([
    ['values', 'data', { data: { v: 'theirs' } }],
    ['custom metadata', 'metadata', { custom_metadata: { owner: 'them' } }],
    ['settings', 'metadata', { max_versions: 9 }],
  ])("doesn't undo a copy that someone else has changed since (%s)", async (_what, kind, theirs) => {
    for (const name of ['a', 'b', 'c']) await write(`${root}/f/${name}`, { name });
    // After a and b are copied, and before c, whose copy fails because of it.
    secrets.proxy.onRequest = async (bytes) => {
      if (!bytes.includes(`POST /v1/secret/data/${root}/g/c`)) return;
      await secrets.direct.write(`secret/${kind}/${root}/g/a`, theirs);
      await write(`${root}/g/c`, { v: 'in its way' });
    };
    const lines = linesOf(await transfer(folder('g')));
    delete secrets.proxy.onRequest;
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ code: 'conflict', removed: 0 });
    expect(lines.filter((line) => line['action'] === 'undo' && line['state'] === 'failed')).toMatchObject([
      { detail: expect.stringContaining('changed after it was written') },
    ]);
    expect(await read(`${root}/g/a`)).toEqual(kind === 'data' ? { v: 'theirs' } : { name: 'a' });
    expect(await gone(`${root}/g/b`)).toBe(true);
    for (const name of ['a', 'b', 'c']) expect(await read(`${root}/f/${name}`)).toEqual({ name });
  });

  test('edits wait while a secret that was moved is deleted, and are then refused', async () => {
    await write(`${root}/a`, { v: 1 });
    const settings = secretAt(`${root}/a`).replace('/secrets/t', '/metadata/t');
    const { json } = await admin.send('GET', settings);
    const other = await secrets.signedIn();
    const edits: Promise<unknown>[] = [];
    const sent: string[] = [];
    let isHeld = false;
    secrets.proxy.onRequest = async (bytes) => {
      const line = bytes.toString('latin1').split('\r\n', 1)[0] ?? '';
      if (isHeld && /^(?:PATCH|POST|PUT) \/v1\/secret/.test(line)) sent.push(line);
      if (!line.startsWith(`DELETE /v1/secret/metadata/${root}/a`)) return;
      isHeld = true;
      edits.push(
        other.send('PUT', secretAt(`${root}/a`), { revision: '1', body: { data: '{"v":"theirs"}' } }),
        other.send('PATCH', settings, {
          revision: String(json['revision']),
          body: { custom_metadata: { owner: 'them' } },
        }),
      );
      // This is answered after the edits could have been sent.
      await other.send('GET', secretAt(`${root}/b`));
      isHeld = false;
    };
    const lines = linesOf(await transfer(secretMove('b', { revision: '1' })));
    delete secrets.proxy.onRequest;
    expect(lines.at(-1)).toMatchObject({ outcome: 'done' });
    expect(sent).toEqual([]);
    expect(await Promise.all(edits)).toMatchObject([{ status: 409 }, { status: 409 }]);
    expect(await gone(`${root}/a`)).toBe(true);
  });

  test("doesn't undo a copy that someone else has created again", async () => {
    for (const name of ['a', 'b', 'c']) await write(`${root}/f/${name}`, { name });
    secrets.proxy.onRequest = async (bytes) => {
      if (!bytes.includes(`POST /v1/secret/data/${root}/g/c`)) return;
      await secrets.direct.delete(`secret/metadata/${root}/g/a`);
      secrets.console.clock.advance(1);
      await write(`${root}/g/a`, { v: 'theirs' });
      await write(`${root}/g/c`, { v: 'in its way' });
    };
    const lines = linesOf(await transfer(folder('g')));
    delete secrets.proxy.onRequest;
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ code: 'conflict', removed: 0 });
    expect(await read(`${root}/g/a`)).toEqual({ v: 'theirs' });
    expect(await gone(`${root}/g/b`)).toBe(true);
  });

  test.each([
    ['metadata', { custom_metadata: { owner: 'them' } }],
    ['delete', { versions: [1] }],
    ['destroy', { versions: [1] }],
  ])("doesn't delete a secret that was changed after it was copied (%s)", async (how, change) => {
    await write(`${root}/f/a`, { v: 1 }, { v: 2 });
    await write(`${root}/f/b`, { v: 1 });
    secrets.proxy.onRequest = (bytes) =>
      bytes.includes(`POST /v1/secret/data/${root}/g/b`)
        ? secrets.direct.write(`secret/${how}/${root}/f/a`, change)
        : undefined;
    const lines = linesOf(await transfer(folder('g', { versions: 'all' })));
    delete secrets.proxy.onRequest;
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ code: 'conflict', removed: 0 });
    expect(await read(`${root}/f/a`)).toEqual({ v: 2 });
    expect(await gone(`${root}/g/a`)).toBe(true);
    expect(await gone(`${root}/f/b`)).toBe(false);
  });

  test.each([
    ['deleted', (path: string) => secrets.direct.write(`secret/delete/${path}`, { versions: [1] })],
    [
      'created again',
      async (path: string) => {
        await secrets.direct.delete(`secret/metadata/${path}`);
        secrets.console.clock.advance(1);
        await write(path, { v: 'theirs' });
      },
    ],
  ])("doesn't delete a secret whose copy was %s", async (_how, change) => {
    for (const name of ['a', 'b']) await write(`${root}/f/${name}`, { name });
    secrets.proxy.onRequest = async (bytes) => {
      if (bytes.includes(`DELETE /v1/secret/metadata/${root}/f/a`)) await change(`${root}/g/b`);
    };
    const lines = linesOf(await transfer(folder('g')));
    delete secrets.proxy.onRequest;
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({
      code: 'conflict',
      outcome: 'partly',
      removed: 1,
    });
    expect(await read(`${root}/f/b`)).toEqual({ name: 'b' });
    expect(await read(`${root}/g/a`)).toEqual({ name: 'a' });
  });

  test("doesn't delete what someone else created again after a deletion whose answer was lost", async () => {
    await write(`${root}/a`, { v: 1 });
    let sinceDeletion = 0;
    secrets.proxy.onRequest = async (bytes) => {
      if (!bytes.includes(`/v1/secret/metadata/${root}/a`)) return;
      if (sinceDeletion === 1) {
        secrets.console.clock.advance(1);
        await write(`${root}/a`, { v: 'theirs' });
      }
      if (bytes.includes('DELETE ') || sinceDeletion > 0) sinceDeletion += 1;
      if (sinceDeletion === 1) secrets.proxy.cutNext = 0;
    };
    const lines = linesOf(await transfer(secretMove('b', { revision: '1' })));
    delete secrets.proxy.onRequest;
    expect(sinceDeletion).toBe(2);
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ kind: 'end', removed: 0 });
    expect(await read(`${root}/a`)).toEqual({ v: 'theirs' });
  });

  test('looks for a write whose answer was lost', async () => {
    for (const name of ['a', 'b']) await write(`${root}/f/${name}`, { name });
    let cut = false;
    secrets.proxy.onRequest = (bytes) => {
      if (!cut && bytes.includes('POST /v1/secret/data/')) {
        cut = true;
        secrets.proxy.cutNext = 0;
      }
    };
    const lines = linesOf(await transfer(folder('g')));
    delete secrets.proxy.onRequest;
    expect(cut).toBe(true);
    expect(lines.at(-1)).toMatchObject({ outcome: 'done', written: 2, removed: 2 });
    expect(await metadata(`${root}/g/a`)).toMatchObject({ current_version: 1 });
  });
});

describe('export and import', () => {
  const mount = `${secretsApi}/mounts/secret`;
  const entries = (...list: [path: string, data: string, revision?: string][]) => ({
    entries: list.map(([path, data, revision]) => ({
      path: `${root}/${path}`,
      data,
      ...(revision !== undefined && { revision }),
    })),
  });

  test('an export reports what it left out, and records how much it returned', async () => {
    await write(`${root}/a`, { x: 'canary-export' });
    await write(`${root}/b/c`, { y: 1 });
    await write(`${root}/b/d`, { y: 1 });
    await secrets.direct.delete(`secret/data/${root}/b/d`);
    const answer = await admin.send('POST', `${mount}/export`, {
      body: { paths: [`${root}/a`], folders: [root] },
    });
    expect(linesOf(answer)).toEqual([
      { kind: 'secret', path: `${root}/a`, version: 1, data: '{"x":"canary-export"}' },
      { kind: 'secret', path: `${root}/b/c`, version: 1, data: '{"y":1}' },
      { kind: 'skipped', path: `${root}/b/d`, detail: expect.stringMatching(/deleted/) },
      { kind: 'end', secrets: 2, skipped: 1 },
    ]);
    const activity = await admin.send('GET', '/api/environments/test/activity?action=secret.export');
    expect((activity.json['items'] as object[])[0]).toMatchObject({
      outcome: 'succeeded',
      resource: { name: '2 secrets' },
      paths: [`path=${root}/a`, `folder=${root}`],
    });
    expect(activity.text).not.toContain('canary');
    expect((await admin.send('POST', `${mount}/export`, { body: {} })).status).toBe(400);
  });

  test('records each secret that is returned, however many were named, even if the rest fails', async () => {
    await write(`${root}/shown`, { x: 1 });
    await write(`${root}/unread`, { x: 1 });
    secrets.proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').includes(`${root}/unread `)) return;
      secrets.proxy.fault = { kind: 'hang up' };
      secrets.proxy.drop();
    };
    // Read eight at a time, in this order.
    const decoys = Array.from({ length: 1_100 }, (_, n) => `${root}/${n < 1_090 ? 'decoy' : 'then'}-${n}`);
    const answer = await admin.send('POST', `${mount}/export`, {
      body: { paths: [...decoys, `${root}/shown`, `${root}/unread`] },
    });
    delete secrets.proxy.onRequest;
    secrets.proxy.fault = { kind: 'none' };
    expect(linesOf(answer).at(-1)).toMatchObject({ kind: 'failed' });
    const activity = async (query: string) => {
      const { json } = await admin.send('GET', `/api/environments/test/activity?${query}`);
      return (json['items'] as readonly object[])[0];
    };
    expect(await activity(`resource_id=secret/${root}/shown`)).toMatchObject({
      action: 'secret.reveal',
      paths: ['part-of=secret.export', 'data.x'],
      revision_after: '1',
    });
    expect(await activity('action=secret.export')).toMatchObject({
      outcome: 'succeeded',
      resource: { name: '1 secret' },
      paths: expect.arrayContaining(['and 103 more']),
    });
  });

  test('distinguishes secrets below a long path', async () => {
    const long = `${root}/${Array.from({ length: 9 }, () => 'p'.repeat(60)).join('/')}`;
    const secretAt = (name: string) => `${mount}/secrets/${encodeURIComponent(`${long}/${name}`)}`;
    for (const name of ['one', 'other']) await write(`${long}/${name}`, { x: 1 });
    await admin.send('POST', `${secretAt('one')}/reveal`, { body: {} });
    const found = async (name: string) => {
      const id = encodeURIComponent(`secret/${long}/${name}`);
      const { json } = await admin.send('GET', `/api/environments/test/activity?resource_id=${id}`);
      return (json['items'] as readonly object[]).length;
    };
    expect([await found('one'), await found('other')]).toEqual([1, 0]);
  });

  test('an import is previewed, and writes over the revisions that the preview showed', async () => {
    await write(`${root}/same`, { a: 1 });
    await write(`${root}/other`, { a: 1, b: 2 });
    await write(`${root}/gone`, { a: 1 });
    await secrets.direct.delete(`secret/data/${root}/gone`);
    const preview = await admin.send('POST', `${mount}/import-preview`, {
      body: entries(
        ['same', '{"a":1.0}'],
        ['other', '{"a":"canary-new","c":3}'],
        ['gone', '{}'],
        ['new', '{"k":1}'],
      ),
    });
    expect(preview.json['items']).toMatchObject([
      { change: 'same', revision: '1' },
      {
        change: 'change',
        revision: '1',
        added: { names: ['c'], count: 1 },
        changed: { names: ['a'], count: 1 },
        removed: { names: ['b'], count: 1 },
      },
      { change: 'deleted', revision: '1' },
      { change: 'create', revision: '0', added: { names: ['k'], count: 1 } },
    ]);
    expect(preview.text).not.toContain('canary');
    const done = linesOf(
      await admin.send('POST', `${mount}/import`, {
        body: entries(
          ['other', '{"c":12345678901234567890}', '1'],
          ['gone', '{}', '1'],
          ['new', '{"k":1}', '0'],
        ),
      }),
    );
    expect(done.at(-1)).toMatchObject({ outcome: 'done', written: 3 });
    const stored = await secrets.direct.read(`secret/data/${root}/other`);
    expect(stored.text).toContain('"data":{"c":12345678901234567890}');
    const twice = await admin.send('POST', `${mount}/import`, {
      body: entries(['x', '{}', '0'], ['x', '{}', '0']),
    });
    expect(twice.status).toBe(400);
    const broken = await admin.send('POST', `${mount}/import-preview`, { body: entries(['x', '{"canary']) });
    expect(broken.json).toMatchObject({ fields: [{ path: 'entries.0.data' }] });
    expect(broken.text).not.toContain('canary');
  });

  test("an import doesn't undo a secret with the same values that someone else creates", async () => {
    secrets.proxy.onRequest = async (bytes) => {
      if (bytes.includes(`POST /v1/secret/data/${root}/a`)) await write(`${root}/a`, { v: 1 });
    };
    const body = entries(['a', '{"v":1}', '0'], ['b', '{"v":1}', '7']);
    const lines = linesOf(await admin.send('POST', `${mount}/import`, { body }));
    delete secrets.proxy.onRequest;
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ outcome: 'undone', code: 'conflict' });
    expect(await read(`${root}/a`)).toEqual({ v: 1 });
  });

  test("an import doesn't undo what someone else has created again", async () => {
    secrets.proxy.onRequest = async (bytes) => {
      if (!bytes.includes(`POST /v1/secret/data/${root}/b`)) return;
      await secrets.direct.delete(`secret/metadata/${root}/a`);
      secrets.console.clock.advance(1);
      await write(`${root}/a`, { v: 'theirs' });
      await write(`${root}/b`, { v: 'in its way' });
    };
    const entries = ['a', 'b'].map((name) => ({ path: `${root}/${name}`, data: '{"v":1}', revision: '0' }));
    const lines = linesOf(await admin.send('POST', `${mount}/import`, { body: { entries } }));
    delete secrets.proxy.onRequest;
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ code: 'conflict' });
    expect(await read(`${root}/a`)).toEqual({ v: 'theirs' });
  });

  test.each([
    ['before', 'can read it', true],
    ['before', "can't read it", false],
    ['during', 'can read it', true],
    ['during', "can't read it", false],
  ])('keeps metadata set %s an import that is undone, by a user who %s', async (when, _who, isReader) => {
    const theirs = { custom_metadata: { owner: 'them' }, max_versions: 12 };
    const set = () => secrets.direct.write(`secret/metadata/${root}/a`, theirs);
    if (when === 'before') await set();
    secrets.proxy.onRequest = (bytes) =>
      when === 'during' && bytes.includes(`POST /v1/secret/data/${root}/b`) ? set() : undefined;
    const page = isReader
      ? admin
      : await secrets.withPolicy(
          'importer',
          `path "secret/data/*" { capabilities = ["create", "read", "update"] }
           path "secret/delete/*" { capabilities = ["update"] }
           path "secret/metadata/*" { capabilities = ["delete"] }`,
        );
    const body = entries(['a', '{"v":1}', '0'], ['b', '{"v":1}', '7']);
    const lines = linesOf(await page.send('POST', `${mount}/import`, { body }));
    delete secrets.proxy.onRequest;
    expect(lines.at(-1), JSON.stringify(lines)).toMatchObject({ outcome: 'undone' });
    expect(await metadata(`${root}/a`)).toMatchObject({ ...theirs, current_version: 1 });
    expect(await read(`${root}/a`)).toBeNull();
    expect(await entriesOf(`${root}/a`)).toMatchObject([
      { action: 'secret.delete-versions', paths: ['part-of=secret.import', 'versions=1'] },
      { action: 'secret.create' },
    ]);
  });

  test('a preview names some fields of each secret, and their total number', async () => {
    const fieldsOf = (count: number, length: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [String(at).padStart(length, 'n'), 1]));
    await write(`${root}/many`, fieldsOf(19_500, 10));
    await write(`${root}/long`, fieldsOf(3, 2_000));
    const preview = await admin.send('POST', `${mount}/import-preview`, {
      body: entries(['many', '{}'], ['long', '{}'], ['new', JSON.stringify(fieldsOf(150, 5))]),
    });
    const [many, long, created] = preview.json['items'] as readonly ImportPreviewItem[];
    expect(many?.removed.count).toBe(19_500);
    expect(many?.removed.names).toHaveLength(100);
    expect(long?.removed.count).toBe(3);
    expect(long?.removed.names).toHaveLength(2);
    expect(created?.added.count).toBe(150);
    expect(created?.added.names).toHaveLength(100);
  });

  test('a preview counts as a comparison of values, which is rate-limited', async () => {
    await write(`${root}/guessed`, { pin: '1234' });
    const statuses: number[] = [];
    for (let guess = 0; guess < 15; guess++) {
      const body = entries(['guessed', JSON.stringify({ pin: String(guess) })]);
      statuses.push((await admin.send('POST', `${mount}/import-preview`, { body })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(10);
  });

  test('undoes an import completely if its last secret was changed in the meantime', async () => {
    await write(`${root}/a`, { v: 'before' });
    await write(`${root}/gone`, { v: 1 });
    await secrets.direct.delete(`secret/data/${root}/gone`);
    await write(`${root}/z`, { v: 1 }, { v: 2 });
    const lines = linesOf(
      await admin.send('POST', `${mount}/import`, {
        body: entries(
          ['a', '{"v":"new"}', '1'],
          ['gone', '{"v":2}', '1'],
          ['n', '{}', '0'],
          ['z', '{"v":9}', '1'],
        ),
      }),
    );
    expect(lines.at(-1)).toMatchObject({ outcome: 'undone', code: 'conflict', written: 0 });
    // The last one was never written, so there was nothing to undo.
    expect(lines.slice(-5, -1)).toMatchObject([
      {
        action: 'undo',
        path: `${root}/z`,
        state: 'skipped',
        detail: 'Nothing had been written, so there was nothing to undo.',
      },
      { action: 'undo', path: `${root}/n`, state: 'done', detail: null },
      { action: 'undo', path: `${root}/gone`, state: 'done' },
      { action: 'undo', path: `${root}/a`, state: 'done' },
    ]);
    expect(await entriesOf(`${root}/a`)).toMatchObject([
      { action: 'secret.restore', revision_after: '3', paths: ['part-of=secret.import', 'version=1'] },
      { action: 'secret.update', revision_before: '1', revision_after: '2' },
    ]);
    expect(await entriesOf(`${root}/n`)).toMatchObject([
      { action: 'secret.delete-forever' },
      { action: 'secret.create', revision_after: '1' },
    ]);
    expect(await entriesOf(`${root}/z`)).toEqual([]);
    expect(await read(`${root}/a`)).toEqual({ v: 'before' });
    expect((await secrets.direct.read(`secret/data/${root}/gone`)).status).toBe(404);
    expect(await gone(`${root}/n`)).toBe(true);
    expect(await read(`${root}/z`)).toEqual({ v: 2 });
    const activity = await admin.send('GET', '/api/environments/test/activity?action=secret.import');
    expect((activity.json['items'] as object[])[0]).toMatchObject({ outcome: 'failed', problem: 'conflict' });
  });

  test("never undoes someone else's changes", async () => {
    await write(`${root}/a`, { v: 1 });
    // Someone writes the very next version, and creates the new secret, before the import reaches them.
    await write(`${root}/a`, { v: 'theirs' });
    await write(`${root}/n`, { v: 'theirs' });
    for (const entry of [
      ['a', '{"v":"mine"}', '1'],
      ['n', '{"v":"mine"}', '0'],
    ] as const) {
      const lines = linesOf(
        await admin.send('POST', `${mount}/import`, { body: entries([entry[0], entry[1], entry[2]]) }),
      );
      expect(lines.at(-1)).toMatchObject({ outcome: 'undone', code: 'conflict' });
      expect(await read(`${root}/${entry[0]}`)).toEqual({ v: 'theirs' });
    }
    expect(await metadata(`${root}/a`)).toMatchObject({ current_version: 2 });
  });

  test('undoes an import that the user cancels', async () => {
    const list = Array.from({ length: 300 }, (_, n): [string, string, string] => [`k${n}`, '{"a":1}', '0']);
    const controller = new AbortController();
    const { origin } = secrets.console;
    const answer = await fetch(`${origin}${mount}/import`, {
      method: 'POST',
      headers: {
        'x-gatehouse': 'console',
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
        cookie: admin.cookie ?? '',
      },
      body: JSON.stringify(entries(...list)),
      signal: controller.signal,
    });
    await answer.body?.getReader().read();
    controller.abort();
    const latest = async () => {
      const { json } = await admin.send('GET', '/api/environments/test/activity?action=secret.import');
      return (json['items'] as { outcome: string }[])[0]?.outcome;
    };
    await expect.poll(latest).toBe('failed');
    expect((await secrets.direct.list(`secret/metadata/${root}`)).status).toBe(404);
  });
});

test('an action on a secret uses its exact path', async () => {
  const odd = `${root}/100% "sure" ü/it's`;
  await admin.send('POST', secretAt(odd), { body: { data: '{"a":1}' } });
  const lines = linesOf(await transfer({ ...secretMove('x'), from: { mount: 'secret', path: odd } }));
  expect(lines.at(-1)).toMatchObject({ outcome: 'done' });
  expect(await read(`${root}/x`)).toEqual({ a: 1 });
});
