import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mostMembers, mostValueBytes } from '../../core/json/members.ts';
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

/** The path of a key for one test. */
const freshKey = (): string => `test/${randomUUID()}`;

/** Creates a mount for one test and returns its path without the slash. */
async function freshMount(config: object = {}): Promise<string> {
  const mount = `kv-${randomUUID()}`;
  expect((await client.write(`sys/mounts/${mount}`, { type: 'kv', options: { version: '2' } })).status).toBe(
    204,
  );
  expect((await client.write(`${mount}/config`, config)).status).toBe(204);
  return mount;
}

async function written(key: string, ...values: readonly unknown[]): Promise<void> {
  for (const data of values) expect((await client.write(`secret/data/${key}`, { data })).status).toBe(200);
}

const errorsOf = (answer: WireAnswer): unknown[] => [answer.status, answer.body['errors']];
const now = (): string => new Date(server.clock.now()).toISOString().replace('Z', '000000Z');
const noData = [400, ['no data provided']];
const mismatch = [400, ['check-and-set parameter did not match the current version']];
const missingCas = [400, ['check-and-set parameter required for this call']];

describe('write and read', () => {
  test('a write returns its version, and a read the value with the version, in the full envelope', async () => {
    const key = freshKey();
    const metadata = {
      created_time: now(),
      custom_metadata: null,
      deletion_time: '',
      destroyed: false,
      version: 1,
    };
    const write = await client.write(`secret/data/${key}`, { data: { name: 'value' } });
    expect([write.status, write.data]).toEqual([200, metadata]);
    const read = await client.read(`secret/data/${key}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual({
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      lease_id: '',
      renewable: false,
      lease_duration: 0,
      data: { data: { name: 'value' }, metadata },
      wrap_info: null,
      warnings: null,
      auth: null,
      mount_type: 'kv',
    });
    expect(read.headers.get('cache-control')).toBe('no-store');
  });

  test('every version can be read; 0, a negative number or none means the current one', async () => {
    const key = freshKey();
    await written(key, { n: 1 }, { n: 2 }, { n: 3 });
    for (const [query, version] of [
      ['', 3],
      ['?version=0', 3],
      ['?version=1', 1],
      ['?version=2', 2],
      ['?version=-1', 3],
    ] as const) {
      const { data } = await client.read(`secret/data/${key}${query}`);
      expect(data).toMatchObject({ data: { n: version }, metadata: { version } });
    }
    expect(errorsOf(await client.read(`secret/data/${key}?version=4`))).toEqual([404, []]);
    // A policy that denies version=1 compares texts.
    for (const query of ['x', '01', '0x1', '1.0', '1e0', '%201', '+1'])
      expect((await client.read(`secret/data/${key}?version=${query}`)).status).toBe(400);
  });

  test('a missing key is answered with 404 and no message, and deleting it is no error', async () => {
    const key = freshKey();
    for (const kind of ['data', 'metadata', 'subkeys']) {
      expect(errorsOf(await client.read(`secret/${kind}/${key}`))).toEqual([404, []]);
      expect(errorsOf(await client.read(`secret/${kind}/`))).toEqual([404, []]);
    }
    expect((await client.delete(`secret/data/${key}`)).status).toBe(204);
    expect((await client.delete(`secret/metadata/${key}`)).status).toBe(204);
    for (const operation of ['delete', 'undelete', 'destroy']) {
      expect((await client.write(`secret/${operation}/${key}`, { versions: [1] })).status).toBe(204);
    }
    expect(errorsOf(await client.read(`secret/metadata/${key}`))).toEqual([404, []]);
  });

  test('missing data, or data that is not a map, is refused', async () => {
    const key = freshKey();
    for (const body of [{}, { data: null }, { options: {} }, '']) {
      expect(errorsOf(await client.write(`secret/data/${key}`, body))).toEqual(noData);
    }
    for (const data of ['text', 1, true, [], [{}]]) {
      expect((await client.write(`secret/data/${key}`, { data })).status).toBe(400);
    }
    expect((await client.write('secret/data', { data: {} })).status).toBe(404);
    expect(errorsOf(await client.write('secret/data/', { data: {} }))[0]).toBe(400);
    expect((await client.write(`secret/data/${key}/`, { data: {} })).status).toBe(400);
  });

  test('unknown members, and members that the path already contains, cause warnings', async () => {
    const key = freshKey();
    const answer = await client.write(`secret/data/${key}`, { data: {}, zeta: 1, alpha: 2, path: 'x' });
    expect([answer.status, answer.body['warnings']]).toEqual([
      200,
      [
        'Endpoint ignored these unrecognized parameters: [alpha zeta]',
        "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [path]",
      ],
    ]);
    const quiet = await client.write(`secret/destroy/${key}`, { versions: [9], more: 1 });
    expect([quiet.status, quiet.body['warnings'], quiet.body['data']]).toEqual([
      200,
      ['Endpoint ignored these unrecognized parameters: [more]'],
      null,
    ]);
  });

  test.each([
    '{"big":12345678901234567890123,"exact":1.10,"small":1e-400,"huge":1E400,"negative":-0}',
    '{"z":1,"a":2,"10":3,"2":4}',
    '{"__proto__":{"a":1},"constructor":null,"toString":"x"}',
    '{"twice":1,"twice":{"deep":[1,2]},"twice":3}',
    '{ "spaces" : [ 1 ,\t2 ] }',
    String.raw`{"escaped\u0020\"\\":"\ud83d\ude00\u0000\/","line":"a\nb","half":"\ud800"}`,
    '{"emoji":"😀","greek":"αβγ","":""}',
    '{}',
  ])('data is returned byte for byte: %s', async (text) => {
    const key = freshKey();
    expect((await client.write(`secret/data/${key}`, `{"options":{},"data":${text}}`)).status).toBe(200);
    const read = await client.read(`secret/data/${key}`);
    expect(read.text).toContain(`"data":{"data":${text},"metadata":`);
  });

  test.each([
    'with space',
    'percent%25',
    '100%',
    'quote"\'`',
    'ünïcödé',
    '日本/語',
    '😀',
    'a+b&c=d?e#f',
    'dots...and.more',
    '-dash',
    'semi;colon,comma',
    '\\back\\slash',
    'a:b@c',
    '%2e%2e',
    '\u{10ffff}',
  ])('a key can have the name %s', async (name) => {
    const folder = freshKey();
    const path = `${folder}/${name.split('/').map(encodeURIComponent).join('/')}`;
    expect((await client.write(`secret/data/${path}`, { data: { name } })).status).toBe(200);
    expect((await client.read(`secret/data/${path}`)).data).toMatchObject({ data: { name } });
    const first = name.split('/')[0] ?? '';
    expect((await client.list(`secret/metadata/${folder}`)).data).toEqual({
      keys: [name.includes('/') ? `${first}/` : name],
    });
  });

  test.each(['a/../b', '..', './a', 'a/.', '%2e%2e/b', 'a/%2e', 'a%00b', 'a%0ab', '%zz', '%ff', 'a%7f'])(
    'the path %s is refused',
    async (path) => {
      const answers = await rawRequest(`GET /v1/secret/data/${path}`);
      expect(answers).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  test('repeated slashes count as one', async () => {
    const key = freshKey();
    await written(`${key}//deep`, { a: 1 });
    expect((await client.read(`secret/data/${key}/deep`)).status).toBe(200);
  });

  test('data of 4 MiB is accepted, and larger data is refused, even as the result of a patch', async () => {
    const key = freshKey();
    const value = 'x'.repeat(mostValueBytes - '{"value":""}'.length);
    await written(key, { value });
    expect((await client.read(`secret/data/${key}`)).data).toMatchObject({ data: { value } });
    const tooLarge = (bytes: number) => [
      400,
      [`value being too large; got ${bytes} bytes, max: 4194304 bytes`],
    ];
    const write = await client.write(`secret/data/${key}`, { data: { value: `${value}é` } });
    expect([write.status, write.body['errors']]).toEqual(tooLarge(mostValueBytes + 2));
    const patch = await client.patch(`secret/data/${key}`, { data: { a: 1 } });
    expect([patch.status, patch.body['errors']]).toEqual(tooLarge(mostValueBytes + 6));
    expect((await client.read(`secret/metadata/${key}`)).data).toMatchObject({ current_version: 1 });
  });
});

test('refuses a patch after which the data has too many members', async () => {
  const key = freshKey();
  const members = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 1]));
  await written(key, members('a', mostMembers - 10));
  const patch = await client.patch(`secret/data/${key}`, { data: members('b', 11) });
  expect([patch.status, patch.body['errors']]).toEqual([
    400,
    [`value has too many members (at most ${mostMembers})`],
  ]);
  expect((await client.patch(`secret/data/${key}`, { data: members('b', 5) })).status).toBe(200);
});

describe('check-and-set', () => {
  test('compares the current version; 0 means that the key must not exist', async () => {
    const key = freshKey();
    const write = (cas: unknown) => client.write(`secret/data/${key}`, { data: { cas }, options: { cas } });
    expect(errorsOf(await write(1))).toEqual(mismatch);
    expect((await write(0)).data['version']).toBe(1);
    expect(errorsOf(await write(0))).toEqual(mismatch);
    expect(errorsOf(await write(2))).toEqual(mismatch);
    expect((await write(1)).data['version']).toBe(2);
    expect((await write('2')).data['version']).toBe(3);
    expect((await write(null)).data['version']).toBe(4);
    for (const cas of ['x', 1.5, true, [], {}]) expect((await write(cas)).status).toBe(400);
    expect((await client.write(`secret/data/${key}`, { data: {}, options: 'x' })).status).toBe(400);
    expect((await client.read(`secret/data/${key}`)).data).toMatchObject({ metadata: { version: 4 } });
  });

  test('requires the current version, not 0, for a deleted secret', async () => {
    const key = freshKey();
    await written(key, { a: 1 });
    await client.delete(`secret/data/${key}`);
    expect(errorsOf(await client.write(`secret/data/${key}`, { data: {}, options: { cas: 0 } }))).toEqual(
      mismatch,
    );
    expect((await client.write(`secret/data/${key}`, { data: {}, options: { cas: 1 } })).status).toBe(200);
  });

  test('is required if the key or the engine requires it', async () => {
    const key = freshKey();
    await client.write(`secret/metadata/${key}`, { cas_required: true });
    expect(errorsOf(await client.write(`secret/data/${key}`, { data: {} }))).toEqual(missingCas);
    expect((await client.write(`secret/data/${key}`, { data: {}, options: { cas: 0 } })).status).toBe(200);
    expect(errorsOf(await client.patch(`secret/data/${key}`, { data: {} }))).toEqual(missingCas);
    expect((await client.patch(`secret/data/${key}`, { data: {}, options: { cas: 1 } })).status).toBe(200);

    const mount = await freshMount({ cas_required: true });
    expect(errorsOf(await client.write(`${mount}/data/a`, { data: {} }))).toEqual(missingCas);
    await client.write(`${mount}/metadata/a`, { cas_required: false });
    expect(errorsOf(await client.write(`${mount}/data/a`, { data: {} }))).toEqual(missingCas);
    expect((await client.write(`${mount}/data/a`, { data: {}, options: { cas: 0 } })).status).toBe(200);
  });

  test('lets only one of 20 simultaneous writers with the same version succeed', async () => {
    const key = freshKey();
    await written(key, { n: 0 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        client.write(`secret/data/${key}`, { data: { n }, options: { cas: 1 } }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(19);
  });
});

describe('patch', () => {
  test('removes null members, merges maps, replaces other values, and keeps the text of the rest', async () => {
    const key = freshKey();
    await client.write(
      `secret/data/${key}`,
      '{"data":{"keep":12345678901234567890, "gone":1,"map":{"a":1.50,"b":{"c":2}},"list":[1,2],"text":"x"}}',
    );
    const patch =
      '{"data":{"gone":null,"map":{"b":{"c":null,"d":9007199254740993},"e":{"f":null}},"list":[3],"text":{"a":null,"b":1},"new":0.10}}';
    const answer = await client.patch(`secret/data/${key}`, patch);
    expect([answer.status, answer.data['version']]).toEqual([200, 2]);
    expect((await client.read(`secret/data/${key}`)).text).toContain(
      '{"keep":12345678901234567890,"map":{"a":1.50,"b":{"d":9007199254740993},"e":{}},"list":[3],"text":{"b":1},"new":0.10}',
    );
    expect((await client.read(`secret/data/${key}?version=1`)).data).toMatchObject({ data: { gone: 1 } });
  });

  test('requires the content type of a merge patch', async () => {
    const key = freshKey();
    await written(key, { a: 1 });
    for (const type of ['application/json', 'application/json-patch+json', 'text/plain']) {
      const answer = await client.send('PATCH', `secret/data/${key}`, { data: {} }, { 'content-type': type });
      expect(answer.status).toBe(415);
    }
    const charset = { 'content-type': 'application/merge-patch+json; charset=utf-8' };
    expect((await client.send('PATCH', `secret/data/${key}`, { data: {} }, charset)).status).toBe(200);
  });

  test('is checked in order: data, key, check-and-set, and a deleted or destroyed version', async () => {
    const key = freshKey();
    const patch = (body: unknown) => client.patch(`secret/data/${key}`, body);
    expect(errorsOf(await patch({ options: { cas: 9 } }))).toEqual(noData);
    expect(errorsOf(await patch({ data: {}, options: { cas: 9 } }))).toEqual([404, undefined]);
    await client.write(`secret/metadata/${key}`, {});
    expect(await patch({ data: {} })).toMatchObject({ status: 404, text: '' });
    await written(key, { a: 1 });
    expect(errorsOf(await patch({ data: {}, options: { cas: 0 } }))).toEqual(mismatch);
    await client.delete(`secret/data/${key}`);
    expect(errorsOf(await patch({ data: {}, options: { cas: 9 } }))).toEqual(mismatch);
    for (const destroyed of [false, true]) {
      if (destroyed) await client.write(`secret/destroy/${key}`, { versions: [1] });
      const answer = await patch({ data: {} });
      expect(answer.status).toBe(404);
      expect(answer.data).toMatchObject({ version: 1, destroyed });
    }
  });
});

describe('subkeys', () => {
  test('return the structure without values, down to the requested depth', async () => {
    const key = freshKey();
    await written(key, { a: 'secret', b: { c: { d: 1 }, e: {}, f: [{ g: 1 }] }, h: {} });
    const structure = async (query: string) =>
      (await client.read(`secret/subkeys/${key}${query}`)).data['subkeys'];
    const whole = { a: null, b: { c: { d: null }, e: null, f: null }, h: null };
    expect(await structure('')).toEqual(whole);
    expect(await structure('?depth=0')).toEqual(whole);
    expect(await structure('?depth=1')).toEqual({ a: null, b: null, h: null });
    expect(await structure('?depth=2')).toEqual({ a: null, b: { c: null, e: null, f: null }, h: null });
    expect(await structure('?depth=9')).toEqual(whole);
    expect(await structure('?depth=-1')).toEqual({ a: null, b: null, h: null });
    expect((await client.read(`secret/subkeys/${key}?depth=x`)).status).toBe(400);
    expect((await client.read(`secret/subkeys/${key}`)).text).not.toContain('secret"');
  });

  test('can be read for each version, and follow the rules of reading', async () => {
    const key = freshKey();
    await written(key, { one: 1 }, { two: 2 });
    expect((await client.read(`secret/subkeys/${key}?version=1`)).data).toMatchObject({
      subkeys: { one: null },
      metadata: { version: 1, deletion_time: '', destroyed: false, custom_metadata: null },
    });
    await client.delete(`secret/data/${key}`);
    const deleted = await client.read(`secret/subkeys/${key}`);
    expect(deleted.status).toBe(404);
    expect(deleted.data).toMatchObject({ subkeys: null, metadata: { version: 2, deletion_time: now() } });
  });
});

describe('delete, undelete, destroy', () => {
  test('a deleted version is answered with 404 and the full envelope, and can be undeleted', async () => {
    const key = freshKey();
    await written(key, { n: 1 }, { n: 2 });
    expect((await client.delete(`secret/data/${key}`)).status).toBe(204);
    const deleted = await client.read(`secret/data/${key}`);
    expect(deleted.status).toBe(404);
    expect(deleted.body).toMatchObject({ lease_id: '', wrap_info: null, auth: null, warnings: null });
    expect(deleted.data).toEqual({
      data: null,
      metadata: {
        created_time: now(),
        custom_metadata: null,
        deletion_time: now(),
        destroyed: false,
        version: 2,
      },
    });
    expect((await client.read(`secret/data/${key}?version=1`)).status).toBe(200);
    expect((await client.write(`secret/undelete/${key}`, { versions: [2] })).status).toBe(204);
    expect((await client.read(`secret/data/${key}`)).data).toMatchObject({ data: { n: 2 } });
  });

  test('versions can be given as a list, a number or a text with commas', async () => {
    const key = freshKey();
    await written(key, { n: 1 }, { n: 2 }, { n: 3 }, { n: 4 });
    await client.write(`secret/delete/${key}`, { versions: [1, 99] });
    await client.write(`secret/delete/${key}`, { versions: '2, 3' });
    await client.write(`secret/delete/${key}`, { versions: 4 });
    for (let version = 1; version <= 4; version++) {
      expect((await client.read(`secret/data/${key}?version=${version}`)).status).toBe(404);
    }
    await client.send('PUT', `secret/undelete/${key}`, { versions: ['1', '4'] });
    const statuses = [1, 2, 3, 4].map(
      async (n) => (await client.read(`secret/data/${key}?version=${n}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 404, 404, 200]);
    for (const operation of ['delete', 'undelete', 'destroy']) {
      for (const body of [{}, { versions: [] }, { versions: null }, { versions: '' }, '']) {
        expect(errorsOf(await client.write(`secret/${operation}/${key}`, body))).toEqual([
          400,
          [`${operation === 'destroy' ? 'no' : 'No'} version number provided`],
        ]);
      }
      for (const versions of ['x', [1.5], [{}], { a: 1 }, true]) {
        expect((await client.write(`secret/${operation}/${key}`, { versions })).status).toBe(400);
      }
    }
  });

  test.each(['PUT', 'POST'])(
    'a version destroyed by %s stays destroyed, and its number is not used again',
    async (method) => {
      const key = freshKey();
      await written(key, { n: 1 }, { n: 2 });
      await client.write(`secret/delete/${key}`, { versions: [1] });
      expect((await client.send(method, `secret/destroy/${key}`, { versions: [1, 2] })).status).toBe(204);
      const deletion = now();
      server.clock.advance(1000);
      await client.write(`secret/undelete/${key}`, { versions: [1, 2] });
      const read = await client.read(`secret/data/${key}?version=1`);
      expect([read.status, read.data]).toMatchObject([
        404,
        { data: null, metadata: { destroyed: true, version: 1, deletion_time: deletion } },
      ]);
      await written(key, { n: 3 });
      expect((await client.read(`secret/data/${key}`)).data).toMatchObject({ metadata: { version: 3 } });
    },
  );

  test('versions that one write has no time for are deleted, undeleted and destroyed in the next', async () => {
    const key = freshKey();
    await client.write(`secret/metadata/${key}`, { max_versions: 20 });
    const value = 'x'.repeat(2 ** 21);
    await written(key, ...Array.from({ length: 15 }, () => ({ value })));
    const versions = Array.from({ length: 12 }, (_, n) => n + 2);
    const readable = async (): Promise<number[]> => {
      const reads = Array.from({ length: 15 }, (_, n) =>
        client.read(`secret/subkeys/${key}?version=${n + 1}`),
      );
      return (await Promise.all(reads)).flatMap(({ status }, n) => (status === 200 ? [n + 1] : []));
    };
    await client.write(`secret/delete/${key}`, { versions });
    expect(await readable()).toEqual([1, 14, 15]);
    await client.write(`secret/undelete/${key}`, { versions });
    expect(await readable()).toHaveLength(15);
    await client.write(`secret/destroy/${key}`, { versions });
    expect(await readable()).toEqual([1, 14, 15]);
  });

  test('deleting a version again keeps the first deletion time', async () => {
    const key = freshKey();
    await written(key, { n: 1 });
    await client.delete(`secret/data/${key}`);
    const first = now();
    server.clock.advance(1000);
    await client.delete(`secret/data/${key}`);
    await client.write(`secret/delete/${key}`, { versions: [1] });
    expect((await client.read(`secret/data/${key}`)).data).toMatchObject({
      metadata: { deletion_time: first },
    });
  });

  test('deleting the metadata deletes everything, and the next write is version 1', async () => {
    const key = freshKey();
    await written(key, { n: 1 }, { n: 2 });
    expect((await client.delete(`secret/metadata/${key}`)).status).toBe(204);
    expect(errorsOf(await client.read(`secret/data/${key}`))).toEqual([404, []]);
    expect(errorsOf(await client.read(`secret/metadata/${key}`))).toEqual([404, []]);
    expect(
      (await client.write(`secret/data/${key}`, { data: {}, options: { cas: 0 } })).data['version'],
    ).toBe(1);
  });
});

describe('the number of versions kept', () => {
  const kept = async (path: string): Promise<unknown> =>
    Object.keys((await client.read(path)).data['versions'] ?? {});

  test('is ten by default, and pruned versions are not found', async () => {
    const key = freshKey();
    for (let n = 1; n <= 12; n++) await written(key, { n });
    const { data } = await client.read(`secret/metadata/${key}`);
    expect(data).toMatchObject({ current_version: 12, oldest_version: 3, max_versions: 0 });
    expect(await kept(`secret/metadata/${key}`)).toEqual(Array.from({ length: 10 }, (_, n) => String(n + 3)));
    expect(errorsOf(await client.read(`secret/data/${key}?version=2`))).toEqual([404, []]);
    expect((await client.read(`secret/data/${key}?version=3`)).status).toBe(200);
  });

  test("is the key's setting if it has one, whether higher or lower than the engine's", async () => {
    const mount = await freshMount({ max_versions: 3 });
    const write = async (key: string, times: number) => {
      for (let n = 0; n < times; n++) await client.write(`${mount}/data/${key}`, { data: { n } });
    };
    await client.write(`${mount}/metadata/more`, { max_versions: 5 });
    await client.write(`${mount}/metadata/fewer`, { max_versions: 1 });
    for (const [key, versions] of [
      ['usual', 3],
      ['more', 5],
      ['fewer', 1],
    ] as const) {
      await write(key, 7);
      expect(await kept(`${mount}/metadata/${key}`)).toHaveLength(versions);
    }
    await client.write(`${mount}/metadata/more`, { max_versions: 2 });
    await write('more', 1);
    expect(await kept(`${mount}/metadata/more`)).toEqual(['7', '8']);
    await client.write(`${mount}/metadata/more`, { max_versions: 4 });
    await write('more', 1);
    expect(await kept(`${mount}/metadata/more`)).toEqual(['7', '8', '9']);
    expect((await client.read(`${mount}/metadata/more`)).data['oldest_version']).toBe(7);
  });

  test('can be two hundred', async () => {
    const key = freshKey();
    await client.write(`secret/metadata/${key}`, { max_versions: 200 });
    for (let n = 1; n <= 201; n++) await written(key, { n });
    expect(await kept(`secret/metadata/${key}`)).toHaveLength(200);
    expect((await client.read(`secret/data/${key}?version=2`)).data).toMatchObject({ data: { n: 2 } });
    expect((await client.read(`secret/data/${key}`)).data).toMatchObject({ data: { n: 201 } });
    await client.write(`secret/destroy/${key}`, { versions: [2, 101, 102, 201, 300] });
    const { versions } = (await client.read(`secret/metadata/${key}`)).data as {
      versions: Record<string, { destroyed: boolean }>;
    };
    const destroyed = Object.entries(versions).flatMap(([version, one]) => (one.destroyed ? [version] : []));
    expect(destroyed).toEqual(['2', '101', '102', '201']);
  });
});

/** Sends a request line unchanged; `fetch` would normalize it. */
async function rawRequest(line: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Vault-Token: ${client.token}\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}
