import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, WireAnswer } from '../testing/client.ts';
import { as, authOf, errorsOf, tokenWith } from '../testing/people.ts';
import { startServer, testPassword } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  server = await startServer();
  admin = await as(server, 'administrator');
  await admin.write('secret/data/a', '{"data":{"big":12345678901234567890,"b":1,"a":2}}');
});
afterAll(() => server[Symbol.asyncDispose]());

const wrapped = (method: string, path: string, body?: unknown, ttl = '60s'): Promise<WireAnswer> =>
  admin.send(method, path, body, { 'x-vault-wrap-ttl': ttl });
const infoOf = (answer: WireAnswer): Record<string, unknown> =>
  answer.body['wrap_info'] as Record<string, unknown>;
const tokenIn = (answer: WireAnswer): string => String(infoOf(answer)['token']);
const invalid = [400, ['wrapping token is not valid or does not exist']];

describe('wrapping', () => {
  test('stores an answer and returns only a token for it', async () => {
    const answer = await wrapped('GET', 'secret/data/a', undefined, '5m');
    expect(answer.body).toMatchObject({ data: null, auth: null, lease_id: '' });
    expect(infoOf(answer)).toEqual({
      token: expect.stringMatching(/^hvs\.[0-9A-Za-z]{24}$/),
      accessor: expect.stringMatching(/^[0-9A-Za-z]{24}$/),
      ttl: 300,
      creation_time: new Date(server.clock.now()).toISOString().replace('Z', '000000Z'),
      creation_path: 'secret/data/a',
    });
    const opened = await admin.write('sys/wrapping/unwrap', { token: tokenIn(answer) });
    expect(opened.status).toBe(200);
    expect(opened.text).toContain('"data":{"big":12345678901234567890,"b":1,"a":2}');
    expect(opened.body).toMatchObject({ lease_id: '', wrap_info: null, warnings: null, auth: null });
  });

  test('keeps an answer for at most 32 days', async () => {
    for (const [asked, ttl] of [
      ['9223372036', 2_764_800],
      ['769h', 2_764_800],
      ['767h', 2_761_200],
    ] as const)
      expect(infoOf(await wrapped('GET', 'secret/data/a', undefined, asked))['ttl']).toBe(ttl);
  });

  test('a new token returns its accessor', async () => {
    const answer = await wrapped('POST', 'auth/token/create', { policies: ['default'] }, '1m');
    expect(answer.text).not.toContain('client_token');
    const again = await server.with(tokenIn(answer)).write('sys/wrapping/rewrap');
    const opened = await server.with(tokenIn(again)).write('sys/wrapping/unwrap');
    for (const each of [answer, again])
      expect(infoOf(each)['wrapped_accessor']).toBe(authOf(opened)['accessor']);
  });

  test('any body returns the same bytes later', async () => {
    const answer = await wrapped('POST', 'sys/wrapping/wrap', '{"z":1.10,"a":{"n":12345678901234567890}}');
    expect(infoOf(answer)['creation_path']).toBe('sys/wrapping/wrap');
    // Go clients send null as the body.
    const opened = await server.with(tokenIn(answer)).write('sys/wrapping/unwrap', 'null');
    expect(opened.text).toContain('"data":{"z":1.10,"a":{"n":12345678901234567890}}');
  });

  test('is limited to 64 MiB of waiting answers per person across sign-ins', async () => {
    const operator = await as(server, 'operator');
    const again = await as(server, 'operator');
    const wrap = (by: Client) =>
      by.send('POST', 'sys/wrapping/wrap', { d: 'x'.repeat(4_100_000) }, { 'x-vault-wrap-ttl': '60s' });
    const first = await wrap(operator);
    expect(first.status).toBe(200);
    for (let more = 0; more < 16; more++) expect((await wrap(again)).status).toBe(200);
    const refused = await wrap(again);
    expect([refused.status, errorsOf(refused)]).toEqual([400, [expect.stringContaining('64 MiB')]]);
    // Refused before any work is done, because a lost answer could contain the only copy of a token.
    const asked = { data: { a: 1 } };
    const write = await again.send('POST', 'secret/data/late', asked, { 'x-vault-wrap-ttl': '60s' });
    expect([write.status, (await admin.read('secret/data/late')).status]).toEqual([400, 404]);
    expect((await wrapped('GET', 'secret/data/a')).status).toBe(200);
    await operator.write('sys/wrapping/unwrap', { token: tokenIn(first) });
    expect((await wrap(again)).status).toBe(200);
  });

  test('is limited to a number of waiting answers per person, however small they are', async () => {
    await using own = await startServer();
    const person = await as(own, 'administrator');
    const wrap = () => person.send('POST', 'sys/wrapping/wrap', { d: 1 }, { 'x-vault-wrap-ttl': '60s' });
    for (let round = 0; round < 10; round++)
      expect(
        (await Promise.all(Array.from({ length: 100 }, wrap))).every(({ status }) => status === 200),
      ).toBe(true);
    const wrapped = await wrap();
    expect(wrapped.status).toBe(200);
    const refused = await wrap();
    expect([refused.status, errorsOf(refused)]).toEqual([
      400,
      [expect.stringContaining('1000 of your wrapped')],
    ]);
    // A wrapped answer that is wrapped again is the person's too.
    const again = await own
      .with(tokenIn(wrapped))
      .send('POST', 'sys/wrapping/unwrap', { d: 1 }, { 'x-vault-wrap-ttl': '60s' });
    expect(errorsOf(again)).toEqual([expect.stringContaining('1000 of your wrapped')]);
  });

  test('is limited more for the tokens that a person creates, and leaves the person and the others theirs', async () => {
    await using own = await startServer();
    const person = await as(own, 'administrator');
    const wrapWith = (token: string) =>
      own.with(token).send('POST', 'sys/wrapping/wrap', { d: 1 }, { 'x-vault-wrap-ttl': '60s' });
    const fill = async (token: string, length = 200): Promise<void> => {
      const answers = await Promise.all(Array.from({ length }, () => wrapWith(token)));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
    };
    const tenants: string[] = [];
    for (let tenant = 0; tenant < 11; tenant++) tenants.push(await tokenWith(person, {}));
    const [first = '', second = '', ...others] = tenants;
    const created = [
      await tokenWith(own.with(first), {}),
      await tokenWith(own.with(first), {}, 'auth/token/create-orphan'),
    ];
    await fill(first);
    expect((await wrapWith(first)).status).toBe(200);
    for (const token of [first, ...created])
      expect(errorsOf(await wrapWith(token))).toEqual([
        expect.stringContaining('200 wrapped answers of one'),
      ]);
    expect((await wrapWith(second)).status).toBe(200);
    // Up to 2,001, like the one above: the one that exceeds the limit is still kept.
    for (const [index, token] of others.entries()) await fill(token, index === 0 ? 199 : 200);
    expect(errorsOf(await wrapWith(second))).toEqual([
      expect.stringContaining('2000 wrapped answers of tokens that one user created'),
    ]);
    const mine = await person.send('POST', 'sys/wrapping/wrap', { d: 1 }, { 'x-vault-wrap-ttl': '60s' });
    expect(mine.status).toBe(200);
  });

  test('is applied to answers for callers without a token only if they sign in', async () => {
    const { anonymous: anyone } = server;
    const header = { 'x-vault-wrap-ttl': '60s' };
    const shown = await anyone.send('GET', 'sys/replication/status', undefined, header);
    expect(shown.body).toMatchObject({ wrap_info: null, data: expect.any(Object) });
    const login = { password: testPassword };
    const granted = await anyone.send('POST', 'auth/userpass/login/operator', login, header);
    expect(granted.text).not.toContain('client_token');
    const opened = await server.with(tokenIn(granted)).write('sys/wrapping/unwrap');
    expect(authOf(opened)['client_token']).toEqual(expect.any(String));
  });

  test('is not applied to errors and answers without a body', async () => {
    expect((await wrapped('GET', 'secret/data/missing')).status).toBe(404);
    expect((await wrapped('DELETE', 'secret/metadata/missing')).status).toBe(204);
    expect((await wrapped('GET', 'secret/data/a', undefined, 'soon')).status).toBe(400);
    expect((await wrapped('GET', 'secret/data/a', undefined, '-1')).status).toBe(400);
    expect((await wrapped('GET', 'secret/data/a', undefined, '9999999h')).status).toBe(400);
    expect((await wrapped('GET', 'secret/data/a', undefined, '2500000h')).status).toBe(200);
  });

  test.each([
    ['1.5s', 1],
    ['500ms', 1],
    ['1ns', 1],
  ])('for %s lasts %i s', async (ttl, seconds) => {
    expect(infoOf(await wrapped('GET', 'secret/data/a', undefined, ttl))['ttl']).toBe(seconds);
  });

  test('requires a lifetime', async () => {
    const answer = await admin.write('sys/wrapping/wrap', { a: 1 });
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      ['endpoint requires response wrapping to be used'],
    ]);
  });
});

test('a wrapping token can be revoked by its text and by its accessor', async () => {
  for (const [path, field] of [
    ['revoke', 'token'],
    ['revoke-accessor', 'accessor'],
  ] as const) {
    const answer = await wrapped('GET', 'secret/data/a');
    const revoked = await admin.write(`auth/token/${path}`, { [field]: infoOf(answer)[field] });
    expect(revoked.status).toBe(204);
    const opened = await admin.write('sys/wrapping/unwrap', { token: tokenIn(answer) });
    expect([opened.status, opened.body['errors']]).toEqual(invalid);
  }
});

describe('unwrapping', () => {
  test('succeeds for only one of many simultaneous requests', async () => {
    const token = tokenIn(await wrapped('GET', 'secret/data/a'));
    // Connections are opened first so that the requests arrive at once.
    await Promise.all(Array.from({ length: 20 }, () => admin.read('auth/token/lookup-self')));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? admin.write('sys/wrapping/unwrap', { token })
          : server.with(token).write('sys/wrapping/unwrap'),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 400, 403].includes(status))).toBe(true);
  });

  test("with a used token as the caller's own is refused with the usual message", async () => {
    const token = tokenIn(await wrapped('GET', 'secret/data/a'));
    await server.with(token).write('sys/wrapping/unwrap');
    for (const path of ['sys/wrapping/unwrap', 'sys/wrapping/rewrap', 'sys/wrapping/lookup']) {
      for (const sender of [server.with(token), server.with('hvs.unknown')]) {
        const answer = await sender.write(path);
        expect([path, answer.status, errorsOf(answer)]).toEqual([path, ...invalid]);
      }
    }
    expect((await server.with(token).write('sys/wrapping/wrap', { a: 1 })).status).toBe(403);
    const next = tokenIn(await wrapped('GET', 'secret/data/a'));
    expect((await server.with(token).write('sys/wrapping/unwrap', { token: next })).status).toBe(403);
  });

  test("is refused after the token's expiry", async () => {
    const token = tokenIn(await wrapped('GET', 'secret/data/a', undefined, '60s'));
    server.clock.advance(60_000);
    const answer = await admin.write('sys/wrapping/unwrap', { token });
    expect([answer.status, errorsOf(answer)]).toEqual(invalid);
  });

  test('is permitted for any caller with a token by the default policy', async () => {
    const token = tokenIn(await wrapped('GET', 'secret/data/a'));
    const somebody = server.with(await tokenWith(admin, { policies: ['default'] }));
    expect((await somebody.write('sys/wrapping/unwrap', { token })).status).toBe(200);
    expect((await server.anonymous.write('sys/wrapping/unwrap', { token })).status).toBe(403);
  });

  test('is refused for a text that is no wrapping token', async () => {
    for (const token of [undefined, 'unknown', admin.token]) {
      const answer = await admin.write('sys/wrapping/unwrap', token === undefined ? {} : { token });
      expect([answer.status, errorsOf(answer)]).toEqual(invalid);
    }
  });
});

describe('a wrapping token', () => {
  test('is looked up without decrypting the wrapped answer, which may be large', async () => {
    const token = tokenIn(await wrapped('POST', 'sys/wrapping/wrap', { a: 1 }));
    using database = new DatabaseSync(join(server.dataDir, 'secrets-server.db'));
    database.exec('UPDATE wrapping SET sealed = zeroblob(length(sealed))');
    expect((await server.anonymous.write('sys/wrapping/lookup', { token })).status).toBe(200);
    expect((await admin.write('sys/wrapping/unwrap', { token })).status).toBe(500);
    database.exec('DELETE FROM wrapping');
  });

  test('is not created for a body over 4 MiB', async () => {
    const answer = await wrapped('POST', 'sys/wrapping/wrap', { d: 'x'.repeat(4 * 2 ** 20) });
    expect([answer.status, errorsOf(answer)]).toEqual([
      400,
      [expect.stringMatching(/^value being too large/)],
    ]);
  });

  test('can be looked up by anyone who has it, without being used', async () => {
    const answer = await wrapped('GET', 'secret/data/a', undefined, '2m');
    const own = server.with(tokenIn(answer));
    for (const client of [admin, server.anonymous, own]) {
      const { data } = await client.write(
        'sys/wrapping/lookup',
        client === own ? {} : { token: tokenIn(answer) },
      );
      expect(data).toEqual({
        creation_path: 'secret/data/a',
        creation_time: infoOf(answer)['creation_time'],
        creation_ttl: 120,
      });
    }
    expect((await admin.write('sys/wrapping/unwrap', { token: tokenIn(answer) })).status).toBe(200);
  });

  test('is replaced by another, which is then the only valid one', async () => {
    const first = tokenIn(await wrapped('GET', 'secret/data/a'));
    const again = await server.with(first).write('sys/wrapping/rewrap');
    expect(infoOf(again)).toMatchObject({ ttl: 60, creation_path: 'secret/data/a' });
    expect((await admin.write('sys/wrapping/unwrap', { token: first })).status).toBe(400);
    const opened = await admin.write('sys/wrapping/unwrap', { token: tokenIn(again) });
    expect(opened.text).toContain('"big":12345678901234567890');
  });

  test('stays valid if a full disk prevents its replacement', async () => {
    const first = tokenIn(await wrapped('GET', 'secret/data/a'));
    using db = new DatabaseSync(join(server.dataDir, 'secrets-server.db'));
    db.exec("CREATE TRIGGER full BEFORE INSERT ON wrapping BEGIN SELECT RAISE(ABORT, 'full'); END");
    expect((await server.with(first).write('sys/wrapping/rewrap')).status).toBe(500);
    db.exec('DROP TRIGGER full');
    expect((await server.with(first).write('sys/wrapping/rewrap')).status).toBe(200);
  });

  test("can't be used for anything else", async () => {
    const client = server.with(tokenIn(await wrapped('GET', 'secret/data/a')));
    for (const path of [
      'secret/data/a',
      'auth/token/lookup-self',
      'sys/internal/ui/mounts',
      'sys/internal/ui/resultant-acl',
    ])
      expect((await client.read(path)).status).toBe(403);
    expect((await client.write('sys/wrapping/wrap', { a: 1 })).status).toBe(403);
    expect((await client.write('sys/capabilities-self', { paths: ['a'] })).status).toBe(403);
    expect((await client.write('auth/token/create')).status).toBe(403);
  });
});
