import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, WireAnswer } from '../../testing/client.ts';
import { as } from '../../testing/people.ts';
import { startServer } from '../../testing/server.ts';
import type { TestServer } from '../../testing/server.ts';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startServer();
  client = await as(server, 'administrator');
});
afterAll(() => server[Symbol.asyncDispose]());

const freshKey = (): string => `test/${randomUUID()}`;
const timeIn = (seconds: number): string =>
  new Date(server.clock.now() + seconds * 1000).toISOString().replace('Z', '000000Z');

/** Creates a mount for one test and returns its path without the slash. */
async function freshMount(config: object = {}): Promise<string> {
  const mount = `kv-${randomUUID()}`;
  expect((await client.write(`sys/mounts/${mount}`, { type: 'kv-v2' })).status).toBe(204);
  expect((await client.write(`${mount}/config`, config)).status).toBe(204);
  return mount;
}

const errorsOf = (answer: WireAnswer): unknown[] => [answer.status, answer.body['errors']];

describe('metadata', () => {
  test('lists every version and never a value', async () => {
    const key = freshKey();
    const created = timeIn(0);
    await client.write(`secret/data/${key}`, { data: { n: 'value' } });
    server.clock.advance(1000);
    await client.write(`secret/data/${key}`, { data: { n: 'value' } });
    await client.write(`secret/destroy/${key}`, { versions: [1] });
    await client.delete(`secret/data/${key}`);
    const answer = await client.read(`secret/metadata/${key}`);
    expect(answer.data).toEqual({
      cas_required: false,
      created_time: created,
      current_version: 2,
      custom_metadata: null,
      delete_version_after: '0s',
      max_versions: 0,
      oldest_version: 0,
      updated_time: timeIn(0),
      versions: {
        1: { created_time: created, deletion_time: '', destroyed: true },
        2: { created_time: timeIn(0), deletion_time: timeIn(0), destroyed: false },
      },
    });
    expect(answer.text).not.toContain('"value"');
  });

  test('can be written before the first version, to which its settings apply', async () => {
    const key = freshKey();
    const settings = {
      max_versions: 3,
      cas_required: true,
      delete_version_after: '1h30m',
      custom_metadata: { a: 'b' },
    };
    expect((await client.write(`secret/metadata/${key}`, settings)).status).toBe(204);
    expect((await client.read(`secret/metadata/${key}`)).data).toMatchObject({
      ...settings,
      delete_version_after: '1h30m0s',
      current_version: 0,
      versions: {},
    });
    expect(errorsOf(await client.read(`secret/data/${key}`))).toEqual([404, []]);
    const write = await client.write(`secret/data/${key}`, { data: {}, options: { cas: 0 } });
    expect(write.data).toMatchObject({
      version: 1,
      custom_metadata: { a: 'b' },
      deletion_time: timeIn(5400),
    });
    expect((await client.read(`secret/data/${key}`)).data).toMatchObject({
      metadata: { custom_metadata: { a: 'b' }, deletion_time: timeIn(5400) },
    });
  });

  test('a write changes only the given members, and replaces custom metadata as a whole', async () => {
    const key = freshKey();
    await client.write(`secret/metadata/${key}`, { max_versions: 3, custom_metadata: { a: '1', b: '2' } });
    await client.write(`secret/metadata/${key}`, { cas_required: 'true', custom_metadata: { c: '3' } });
    await client.write(`secret/metadata/${key}`, {});
    expect((await client.read(`secret/metadata/${key}`)).data).toMatchObject({
      max_versions: 3,
      cas_required: true,
      custom_metadata: { c: '3' },
    });
    await client.write(`secret/metadata/${key}`, { custom_metadata: {}, cas_required: false });
    expect((await client.read(`secret/metadata/${key}`)).data).toMatchObject({
      custom_metadata: null,
      cas_required: false,
    });
  });

  test('a name that ends with a quote is distinguished from one that ends with a backslash', async () => {
    for (const name of ['x\\', 'x"', 'x\\']) {
      const key = freshKey();
      await client.write(`secret/metadata/${key}`, { custom_metadata: { a: '1', [name]: '2' } });
      await client.patch(`secret/metadata/${key}`, { custom_metadata: { a: null, b: '3', [name]: '4' } });
      const { text } = await client.read(`secret/metadata/${key}`);
      expect(text).toContain(`"custom_metadata":{"b":"3",${JSON.stringify(name)}:"4"}`);
    }
  });

  test('a patch merges custom metadata, and null resets a setting', async () => {
    const key = freshKey();
    expect(errorsOf(await client.patch(`secret/metadata/${key}`, { max_versions: 1 }))).toEqual([
      404,
      undefined,
    ]);
    await client.write(`secret/metadata/${key}`, {
      max_versions: 3,
      cas_required: true,
      delete_version_after: 60,
      custom_metadata: { a: '1', b: '2' },
    });
    const patch = { max_versions: 4, cas_required: null, custom_metadata: { a: null, c: '3' } };
    expect((await client.patch(`secret/metadata/${key}`, patch)).status).toBe(204);
    expect((await client.read(`secret/metadata/${key}`)).data).toMatchObject({
      max_versions: 4,
      cas_required: false,
      delete_version_after: '1m0s',
      custom_metadata: { b: '2', c: '3' },
    });
    await client.patch(`secret/metadata/${key}`, { custom_metadata: null, delete_version_after: null });
    expect((await client.read(`secret/metadata/${key}`)).data).toMatchObject({
      custom_metadata: null,
      delete_version_after: '0s',
      max_versions: 4,
    });
    const json = { 'content-type': 'application/json' };
    expect((await client.send('PATCH', `secret/metadata/${key}`, {}, json)).status).toBe(415);
  });

  test('writing it changes neither versions nor values', async () => {
    const key = freshKey();
    await client.write(`secret/data/${key}`, { data: { a: 1 } });
    await client.write(`secret/metadata/${key}`, { max_versions: 1, custom_metadata: { a: 'b' } });
    await client.patch(`secret/metadata/${key}`, { custom_metadata: { c: 'd' } });
    expect((await client.read(`secret/data/${key}`)).data).toMatchObject({
      data: { a: 1 },
      metadata: { version: 1, custom_metadata: { a: 'b', c: 'd' } },
    });
  });

  test('custom metadata is limited in number, length and characters', async () => {
    const key = freshKey();
    const notes = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));
    const good: Record<string, string>[] = [
      notes(64),
      { ['k'.repeat(128)]: 'v'.repeat(512) },
      { ['ä'.repeat(64)]: 'ü'.repeat(256) },
      JSON.parse('{"__proto__":"x","constructor":"y","10":"a","9":"b"}') as Record<string, string>,
    ];
    for (const custom_metadata of good) {
      expect((await client.write(`secret/metadata/${key}`, { custom_metadata })).status).toBe(204);
      expect((await client.read(`secret/metadata/${key}`)).data['custom_metadata']).toEqual(custom_metadata);
    }
    const bad: unknown[] = [
      notes(65),
      { ['k'.repeat(129)]: 'v' },
      { k: 'v'.repeat(513) },
      { ['ä'.repeat(65)]: 'v' },
      { '': 'v' },
      { k: '' },
      { k: 'line\nbreak' },
      { 'tab\t': 'v' },
      { k: true },
      { k: null },
      { k: { a: 'b' } },
      'text',
      ['a'],
    ];
    for (const custom_metadata of bad) {
      const answer = await client.write(`secret/metadata/${key}`, { custom_metadata });
      expect([JSON.stringify(custom_metadata), answer.status]).toEqual([
        JSON.stringify(custom_metadata),
        400,
      ]);
    }
    // A refusal repeats only the start of a long name.
    const long = await client.write(`secret/metadata/${key}`, {
      custom_metadata: { ['k'.repeat(3000)]: 'v' },
    });
    expect(long.text).toContain(`${'k'.repeat(2000)}…`);
    await client.write(`secret/metadata/${key}`, { custom_metadata: notes(64) });
    expect(
      (await client.patch(`secret/metadata/${key}`, { custom_metadata: { one_more: 'v' } })).status,
    ).toBe(400);
    expect(
      (await client.patch(`secret/metadata/${key}`, { custom_metadata: { k0: null, new: 'v' } })).status,
    ).toBe(204);
  });

  test.each([
    { max_versions: -1 },
    { max_versions: 'x' },
    { max_versions: 1.5 },
    { max_versions: 10_001 },
    { cas_required: 'perhaps' },
    { delete_version_after: -1 },
    { delete_version_after: 'soon' },
    { delete_version_after: '1y' },
    { delete_version_after: 1e12 },
    { delete_version_after: {} },
  ])('a setting out of range is refused: %j', async (settings) => {
    const key = freshKey();
    expect((await client.write(`secret/metadata/${key}`, settings)).status).toBe(400);
    expect((await client.read(`secret/metadata/${key}`)).status).toBe(404);
  });
});

describe('scheduled deletion', () => {
  test('a version can be read until its deletion time', async () => {
    const key = freshKey();
    await client.write(`secret/metadata/${key}`, { delete_version_after: '90s' });
    await client.write(`secret/data/${key}`, { data: { a: 1 } });
    server.clock.advance(89_999);
    expect((await client.read(`secret/data/${key}`)).status).toBe(200);
    server.clock.advance(1);
    expect((await client.read(`secret/data/${key}`)).status).toBe(404);
    expect((await client.patch(`secret/data/${key}`, { data: {} })).status).toBe(404);
    await client.write(`secret/undelete/${key}`, { versions: [1] });
    expect((await client.read(`secret/data/${key}`)).data).toMatchObject({
      metadata: { deletion_time: timeIn(90) },
    });
    server.clock.advance(10_000);
    await client.delete(`secret/data/${key}`);
    expect((await client.read(`secret/data/${key}`)).data).toMatchObject({
      metadata: { deletion_time: timeIn(0) },
    });
  });

  test.each([
    { engine: 0, key: 0, seconds: undefined },
    { engine: 0, key: 60, seconds: 60 },
    { engine: 60, key: 0, seconds: 60 },
    { engine: '1h', key: '30m', seconds: 1800 },
    { engine: '30m', key: '1h', seconds: 1800 },
    { engine: -1, key: '1h', seconds: undefined },
  ])('engine $engine and key $key result in $seconds seconds', async ({ engine, key, seconds }) => {
    const mount = await freshMount({ delete_version_after: engine });
    await client.write(`${mount}/metadata/k`, { delete_version_after: key });
    const written = await client.write(`${mount}/data/k`, { data: {} });
    expect(written.data['deletion_time']).toBe(seconds === undefined ? '' : timeIn(seconds));
  });
});

describe('configuration', () => {
  test('is read, and written member by member', async () => {
    const mount = await freshMount();
    const read = async () => (await client.read(`${mount}/config`)).data;
    expect(await read()).toEqual({ cas_required: false, delete_version_after: '0s', max_versions: 0 });
    await client.write(`${mount}/config`, { max_versions: '5', delete_version_after: '3h25m19s' });
    expect(await read()).toEqual({ cas_required: false, delete_version_after: '3h25m19s', max_versions: 5 });
    await client.send('PUT', `${mount}/config`, { cas_required: true });
    expect(await read()).toEqual({ cas_required: true, delete_version_after: '3h25m19s', max_versions: 5 });
    await client.write(`${mount}/config`, { delete_version_after: -7 });
    expect((await read())['delete_version_after']).toBe('-1s');
    expect((await client.write(`${mount}/config`, { max_versions: -1 })).status).toBe(400);
    expect((await client.delete(`${mount}/config`)).status).toBe(405);
    expect((await client.list(`${mount}/config`)).status).toBe(405);
  });

  test('applies to only one mount', async () => {
    const one = await freshMount({ max_versions: 1 });
    const other = await freshMount();
    await client.write(`${one}/data/k`, { data: { mount: 'one' } });
    expect((await client.read(`${other}/data/k`)).status).toBe(404);
    expect((await client.read(`${other}/config`)).data['max_versions']).toBe(0);
  });
});

describe('list', () => {
  test("returns a folder's keys and folders in byte order, and 404 for a key", async () => {
    const mount = await freshMount();
    for (const key of [
      'b',
      'a',
      'a/b',
      'a/c/d',
      'a!',
      'a0',
      'Z',
      'ä',
      '\u{10000}',
      '\ufffd/x',
      '\ufffd/y',
      'a/b/c',
    ]) {
      await client.write(`${mount}/data/${key.split('/').map(encodeURIComponent).join('/')}`, { data: {} });
    }
    await client.write(`${mount}/metadata/only-metadata`, {});
    const keys = async (path: string) => (await client.list(`${mount}/metadata/${path}`)).data['keys'];
    const root = ['Z', 'a', 'a!', 'a/', 'a0', 'b', 'only-metadata', 'ä', '\ufffd/', '\u{10000}'];
    expect(await keys('')).toEqual(root);
    expect((await client.list(`${mount}/metadata`)).data['keys']).toEqual(root);
    expect((await client.send('GET', `${mount}/metadata/?list=1`)).data['keys']).toEqual(root);
    expect(await keys('a')).toEqual(['b', 'b/', 'c/']);
    expect(await keys('a/')).toEqual(['b', 'b/', 'c/']);
    expect(await keys('a/c/')).toEqual(['d']);
    for (const path of ['b', 'missing', 'a/b/c']) {
      expect(errorsOf(await client.list(`${mount}/metadata/${path}`))).toEqual([404, []]);
    }
    expect((await client.list(`${mount}/data/a`)).status).toBe(405);
    expect((await client.send('GET', `${mount}/metadata/?list=maybe`)).status).toBe(400);
  });

  test('includes deleted keys until their metadata is deleted', async () => {
    const mount = await freshMount();
    for (const key of ['a', 'b']) await client.write(`${mount}/data/${key}`, { data: {} });
    await client.delete(`${mount}/data/a`);
    await client.delete(`${mount}/metadata/b`);
    expect((await client.list(`${mount}/metadata/`)).data['keys']).toEqual(['a']);
    await client.delete(`${mount}/metadata/a`);
    expect((await client.list(`${mount}/metadata/`)).status).toBe(404);
  });

  test('returns parts that together make up the whole list', async () => {
    const mount = await freshMount();
    const names = ['a', 'a/b', 'a/c', 'a!', 'b/1', 'b/2', 'b/3', 'c', 'd/e/f', 'e'];
    for (const key of names) await client.write(`${mount}/data/${encodeURI(key)}`, { data: {} });
    const whole = (await client.list(`${mount}/metadata/`)).data['keys'];
    expect(whole).toEqual(['a', 'a!', 'a/', 'b/', 'c', 'd/', 'e']);
    for (const limit of [1, 2, 3, 7, 100]) {
      const parts: string[] = [];
      for (;;) {
        const after = encodeURIComponent(parts.at(-1) ?? '');
        const part = await client.list(`${mount}/metadata/?limit=${limit}&after=${after}`);
        if (part.status === 404) break;
        const keys = part.data['keys'];
        if (!Array.isArray(keys)) throw new Error('no keys');
        expect(keys.length).toBeLessThanOrEqual(limit);
        parts.push(...(keys as string[]));
      }
      expect(parts).toEqual(whole);
    }
    expect((await client.list(`${mount}/metadata/?after=b`)).data['keys']).toEqual(['b/', 'c', 'd/', 'e']);
    expect((await client.list(`${mount}/metadata/?after=b%2F`)).data['keys']).toEqual(['c', 'd/', 'e']);
    expect((await client.list(`${mount}/metadata/?limit=-1`)).data).toEqual(
      (await client.list(`${mount}/metadata/`)).data,
    );
  });
});
