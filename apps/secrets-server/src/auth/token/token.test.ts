import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { as, authOf, errorsOf, tokenOf, tokenWith } from '../../testing/people.ts';
import { startServer } from '../../testing/server.ts';
import type { TestServer } from '../../testing/server.ts';

const day = 24 * 3600;
const month = 768 * 3600;

let server: TestServer;
let admin: Client;

beforeAll(async () => {
  server = await startServer();
  admin = await as(server, 'administrator');
  await admin.write('sys/policies/acl/maker', {
    policy: 'path "auth/token/create*" { capabilities = ["update"] } path "secret/*" { policy = "read" }',
  });
  await admin.write('sys/policies/acl/reader', { policy: 'path "secret/*" { policy = "read" }' });
});
afterAll(() => server[Symbol.asyncDispose]());

const isAlive = async (token: string): Promise<boolean> => {
  const { status } = await server.with(token).read('auth/token/lookup-self');
  expect([200, 403]).toContain(status);
  return status === 200;
};
const accessorOf = async (token: string): Promise<unknown> =>
  (await server.with(token).read('auth/token/lookup-self')).data['accessor'];

describe('creating tokens', () => {
  test('has the usual answer', async () => {
    const answer = await admin.write('auth/token/create', {
      policies: ['Reader'],
      meta: { team: 'a', number: 1 },
      display_name: 'CI job/7',
      ttl: '1h',
      num_uses: 9,
      nonsense: 1,
    });
    expect(answer.status).toBe(200);
    const auth = authOf(answer);
    expect(auth).toEqual({
      client_token: expect.stringMatching(/^hvs\.[0-9A-Za-z]{24}$/),
      accessor: expect.stringMatching(/^[0-9A-Za-z]{24}$/),
      policies: ['default', 'reader'],
      token_policies: ['default', 'reader'],
      metadata: { team: 'a', number: '1' },
      lease_duration: 3600,
      renewable: true,
      entity_id: '',
      token_type: 'service',
      orphan: false,
      mfa_requirement: null,
      num_uses: 9,
    });
    expect(answer.body['warnings']).toEqual(['Endpoint ignored these unrecognized parameters: [nonsense]']);
    const looked = await admin.write('auth/token/lookup', { token: auth['client_token'] });
    expect(looked.data).toEqual({
      accessor: auth['accessor'],
      creation_time: server.clock.now() / 1000,
      creation_ttl: 3600,
      display_name: 'token-CI-job-7',
      entity_id: '',
      expire_time: new Date(server.clock.now() + 3_600_000).toISOString().replace('.000Z', '.000000000Z'),
      explicit_max_ttl: 0,
      id: auth['client_token'],
      issue_time: new Date(server.clock.now()).toISOString().replace('.000Z', '.000000000Z'),
      meta: { team: 'a', number: '1' },
      num_uses: 9,
      orphan: false,
      path: 'auth/token/create',
      policies: ['default', 'reader'],
      renewable: true,
      ttl: 3600,
      type: 'service',
    });
  });

  test('inherits the policies of the caller and lasts as long as the system allows by default', async () => {
    const answer = authOf(await admin.write('auth/token/create'));
    expect(answer).toMatchObject({ policies: ['administrator', 'default'], lease_duration: month });
    const longer = await admin.write('auth/token/create', { ttl: '9999h', no_default_policy: true });
    expect(authOf(longer)).toMatchObject({ policies: ['administrator'], lease_duration: month });
    expect(longer.body['warnings']).toHaveLength(1);
    const named = { policies: ['default', 'reader'], no_default_policy: true };
    expect(authOf(await admin.write('auth/token/create', named))['policies']).toEqual(['reader']);
    const capped = authOf(await admin.write('auth/token/create', { ttl: '2h', explicit_max_ttl: '1h' }));
    expect(capped['lease_duration']).toBe(3600);
  });

  test('with a lifetime of less than a second lasts a second, not as long as possible', async () => {
    const answer = await admin.write('auth/token/create', { ttl: '1ns', explicit_max_ttl: '500ms' });
    expect(authOf(answer)['lease_duration']).toBe(1);
  });

  test('warns about a policy that does not exist', async () => {
    const answer = await admin.write('auth/token/create', { policies: 'reader,typo' });
    expect(authOf(answer)['policies']).toEqual(['default', 'reader', 'typo']);
    expect(answer.body['warnings']).toEqual(['Policy "typo" does not exist']);
  });

  test.each([
    [{ policies: ['root'] }, 'root tokens may not be created without parent token being root'],
    [{ policies: ['response-wrapping'] }, 'cannot assign policy "response-wrapping"'],
    [{ num_uses: -1 }, 'number of uses cannot be negative'],
    [{ type: 'batch' }, 'batch tokens are not supported'],
    [{ type: 'other' }, "invalid 'token_type' value"],
    [{ ttl: -1 }, 'ttl must be positive'],
    [
      { ttl: 'soon' },
      'Field validation failed: error converting input for field "ttl": time: invalid duration "soon"',
    ],
    [{ period: -1 }, 'period must be positive'],
    [
      { period: '9999999h' },
      'Field validation failed: error converting input for field "period": time: invalid duration "9999999h"',
    ],
    [{ explicit_max_ttl: '-1h' }, 'explicit_max_ttl must be positive'],
    [{ id: 'with space' }, 'the token ID must be printable and without spaces'],
    [{ id: 'hvs.mine' }, "custom token ID cannot have the 'hvs.' prefix"],
    [{ meta: { a: {} } }, 'Error decoding request: "meta" must be a map of strings'],
    [{ entity_alias: 'x' }, "'entity_alias' is only allowed in combination with token role"],
  ])('refuses an administrator %j', async (body, message) => {
    const answer = await admin.write('auth/token/create', body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  test.each([
    [
      'names in meta',
      { meta: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`name ${n}`, 'x'])) },
      'Field validation failed: error converting input for field "meta": more than 64 members',
    ],
    [
      'bytes in meta',
      { meta: { long: 'é'.repeat(32 * 1024) } },
      'Field validation failed: error converting input for field "meta": more than 65536 bytes',
    ],
    [
      'characters in the display name',
      { display_name: 'x'.repeat(257) },
      'Field validation failed: error converting input for field "display_name": text of more than 256 characters',
    ],
    [
      'policies',
      { policies: Array.from({ length: 257 }, (_, n) => `p${n}`) },
      'a token has at most 256 policies',
    ],
    [
      'characters in the policies',
      { policies: ['x'.repeat(40 * 1024), 'y'.repeat(40 * 1024)] },
      'Field validation failed: error converting input for field "policies": texts of more than 65536 characters in all',
    ],
  ])('refuses too many %s', async (_, body, message) => {
    const answer = await admin.write('auth/token/create', body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  test.each([
    [{ policies: ['administrator'] }, 'child policies must be subset of parent'],
    [{ id: 'mine' }, 'root or sudo privileges required to specify token id'],
    [{ no_parent: true }, 'root or sudo privileges required to create orphan token'],
    [{ period: '1h' }, 'root or sudo privileges required to create periodic token'],
  ])('refuses a caller without sudo %j', async (body, message) => {
    const maker = server.with(await tokenWith(admin, { policies: ['maker', 'reader'] }));
    const answer = await maker.write('auth/token/create', body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  test('lets a caller without sudo grant only their own policies, including the default policy', async () => {
    const maker = server.with(
      await tokenWith(admin, { policies: ['maker', 'reader'], no_default_policy: true }),
    );
    const inherited = authOf(await maker.write('auth/token/create'));
    expect(inherited['policies']).toEqual(['maker', 'reader']);
    expect(authOf(await maker.write('auth/token/create', { policies: ['reader'] }))['policies']).toEqual([
      'reader',
    ]);
    expect(authOf(await maker.write('auth/token/create-orphan'))['orphan']).toBe(true);
  });

  test('accepts a chosen token once', async () => {
    const answer = await admin.write('auth/token/create', { id: 'chosen-by-me', policies: ['reader'] });
    expect(tokenOf(answer)).toBe('chosen-by-me');
    expect(await isAlive('chosen-by-me')).toBe(true);
    const again = await admin.write('auth/token/create', { id: 'chosen-by-me' });
    expect([again.status, errorsOf(again)]).toEqual([400, ['cannot create a token with a duplicate ID']]);
  });

  test('refuses a caller without the capability', async () => {
    for (const role of ['operator', 'read-only'] as const) {
      const person = await as(server, role);
      expect((await person.write('auth/token/create')).status).toBe(403);
    }
  });
});

describe('authenticating', () => {
  test.each([
    undefined,
    'hvs.000000000000000000000000',
    'nonsense',
    'hvs.',
    '../x',
    'é'.normalize('NFD').slice(1) + 'x',
  ])('refuses the token %j', async (token) => {
    const client = token === undefined ? server.anonymous : server.with(encodeURIComponent(token));
    const answer = await client.read('auth/token/lookup-self');
    expect([answer.status, errorsOf(answer)]).toEqual([403, ['permission denied']]);
  });

  test('accepts a token as a bearer token', async () => {
    const answer = await server.anonymous.send('GET', 'auth/token/lookup-self', undefined, {
      authorization: `Bearer ${admin.token}`,
    });
    expect(answer.status).toBe(200);
  });

  test('refuses a token at the exact time of its expiry', async () => {
    const token = await tokenWith(admin, { ttl: '10m' });
    server.clock.advance(10 * 60_000 - 1);
    expect(await isAlive(token)).toBe(true);
    server.clock.advance(1);
    expect(await isAlive(token)).toBe(false);
  });
});

describe('renewing', () => {
  test('sets a new expiry, up to the maximum', async () => {
    const token = await tokenWith(admin, { ttl: '1h', explicit_max_ttl: '3h' });
    const client = server.with(token);
    server.clock.advance(30 * 60_000);
    expect(authOf(await client.write('auth/token/renew-self'))).toMatchObject({
      client_token: token,
      lease_duration: 3600,
    });
    const data = (await client.read('auth/token/lookup-self')).data;
    expect(data).toMatchObject({ ttl: 3600, last_renewal_time: server.clock.now() / 1000 });
    const capped = await client.write('auth/token/renew-self', { increment: '24h' });
    expect(authOf(capped)['lease_duration']).toBe(9000);
    expect(capped.body['warnings']).toHaveLength(1);
    const byOthers = await admin.write('auth/token/renew', { token, increment: 60 });
    expect(authOf(byOthers)).toMatchObject({ client_token: token, lease_duration: 60 });
    const byAccessor = await admin.write('auth/token/renew-accessor', {
      accessor: await accessorOf(token),
      increment: 120,
    });
    expect(authOf(byAccessor)).toMatchObject({ client_token: '', lease_duration: 120 });
  });

  test('extends a periodic token by its period without limit', async () => {
    const token = await tokenWith(admin, { period: '1h' }, 'auth/token/create-orphan');
    for (let hour = 0; hour < 900; hour += 100) {
      server.clock.advance(50 * 60_000);
      const answer = await server.with(token).write('auth/token/renew-self', { increment: 5 });
      expect(authOf(answer)['lease_duration']).toBe(3600);
    }
    expect((await server.with(token).read('auth/token/lookup-self')).data['period']).toBe(3600);
    // The other tokens of this test file have expired by this time.
    admin = await as(server, 'administrator');
  });

  test('allows a period as long as the longest duration', async () => {
    const token = await tokenWith(admin, { period: 9_223_372_036 }, 'auth/token/create-orphan');
    expect((await server.with(token).read('auth/token/lookup-self')).data['ttl']).toBe(9_223_372_036);
  });

  test('is refused for fixed, unknown and missing tokens and for negative increments', async () => {
    const fixed = await tokenWith(admin, { renewable: false });
    const refusals = [
      await admin.write('auth/token/renew', { token: fixed }),
      await admin.write('auth/token/renew', { token: 'unknown' }),
      await admin.write('auth/token/renew', {}),
      await admin.write('auth/token/renew-self', { increment: -1 }),
      await admin.write('auth/token/renew-accessor', {}),
      await admin.write('auth/token/renew-accessor', { accessor: 'unknown' }),
    ];
    expect(refusals.map((answer) => [answer.status, errorsOf(answer)])).toEqual([
      [400, ['lease is not renewable']],
      [400, ['token not found']],
      [400, ['missing token ID']],
      [400, ['increment cannot be negative']],
      [400, ['missing accessor']],
      [400, ['invalid accessor']],
    ]);
  });
});

describe('looking up', () => {
  test('by accessor returns everything but the token', async () => {
    const token = await tokenWith(admin, { policies: ['reader'] });
    const { data } = await admin.write('auth/token/lookup-accessor', { accessor: await accessorOf(token) });
    expect(data).toMatchObject({ id: '', policies: ['default', 'reader'] });
  });

  test("without a token returns the caller's own", async () => {
    expect((await admin.write('auth/token/lookup')).data['id']).toBe(admin.token);
  });

  test('is refused for unknown tokens and for callers without the capability', async () => {
    const reader = server.with(await tokenWith(admin, { policies: ['reader'] }));
    const refusals = [
      await admin.write('auth/token/lookup', { token: 'unknown' }),
      await admin.write('auth/token/lookup-accessor', { accessor: 'unknown' }),
      await admin.write('auth/token/lookup-accessor'),
      await reader.write('auth/token/lookup', { token: admin.token }),
    ];
    expect(refusals.map((answer) => [answer.status, errorsOf(answer)])).toEqual([
      [403, ['bad token']],
      [400, ['invalid accessor']],
      [400, ['missing accessor']],
      [403, ['permission denied']],
    ]);
  });

  test('all accessors requires sudo', async () => {
    const token = await tokenWith(admin, { policies: ['reader'] });
    const { data } = await admin.list('auth/token/accessors');
    expect(data['keys']).toContain(await accessorOf(token));
    await admin.write('sys/policies/acl/lister', {
      policy: 'path "auth/token/accessors" { capabilities = ["list"] }',
    });
    const lister = server.with(await tokenWith(admin, { policies: ['lister'] }));
    expect((await lister.list('auth/token/accessors')).status).toBe(403);
  });
});

describe('revoking', () => {
  const family = async () => {
    const parent = await tokenWith(admin, { policies: ['maker'] });
    const child = await tokenWith(server.with(parent), {});
    const grandchild = await tokenWith(server.with(child), {});
    const orphan = await tokenWith(server.with(child), {}, 'auth/token/create-orphan');
    return { parent, child, grandchild, orphan };
  };
  const alive = async (tokens: Readonly<Record<string, string>>): Promise<string[]> => {
    const names: string[] = [];
    for (const [name, token] of Object.entries(tokens)) if (await isAlive(token)) names.push(name);
    return names;
  };

  test("revokes the token's descendants except orphans", async () => {
    const tokens = await family();
    expect((await admin.write('auth/token/revoke', { token: tokens.parent })).status).toBe(204);
    expect(await alive(tokens)).toEqual(['orphan']);
  });

  test("works for the caller's own token", async () => {
    const tokens = await family();
    expect((await server.with(tokens.child).write('auth/token/revoke-self')).status).toBe(204);
    expect(await alive(tokens)).toEqual(['parent', 'orphan']);
  });

  test('works by accessor', async () => {
    const tokens = await family();
    const accessor = await accessorOf(tokens.child);
    expect((await admin.write('auth/token/revoke-accessor', { accessor })).status).toBe(204);
    expect(await alive(tokens)).toEqual(['parent', 'orphan']);
  });

  test('revokes more descendants than one write can remove', async () => {
    const tokens = await family();
    const before = (await admin.list('auth/token/accessors')).data['keys'] as string[];
    for (let made = 0; made < 600; made += 50)
      await Promise.all(Array.from({ length: 50 }, () => tokenWith(server.with(tokens.child), {})));
    expect((await admin.write('auth/token/revoke', { token: tokens.parent })).status).toBe(204);
    expect(await alive(tokens)).toEqual(['orphan']);
    expect((await admin.list('auth/token/accessors')).data['keys']).toHaveLength(before.length - 3);
  });

  test('with revoke-orphan keeps the children as orphans', async () => {
    const tokens = await family();
    expect((await admin.write('auth/token/revoke-orphan', { token: tokens.child })).status).toBe(204);
    expect(await alive(tokens)).toEqual(['parent', 'grandchild', 'orphan']);
    const { data } = await server.with(tokens.grandchild).read('auth/token/lookup-self');
    expect(data['orphan']).toBe(true);
    await admin.write('auth/token/revoke', { token: tokens.parent });
    expect(await isAlive(tokens.grandchild)).toBe(true);
  });

  test('happens to children when their parent expires', async () => {
    const parent = await tokenWith(admin, { policies: ['maker'], ttl: '1h' });
    const child = await tokenWith(server.with(parent), { ttl: '5h' });
    server.clock.advance(3_600_000);
    expect(await isAlive(child)).toBe(false);
  });

  test('an unknown token is no error; an unknown accessor or a missing token is', async () => {
    const answers = [
      await admin.write('auth/token/revoke', { token: 'unknown' }),
      await admin.write('auth/token/revoke-accessor', { accessor: 'unknown' }),
      await admin.write('auth/token/revoke', {}),
      await admin.write('auth/token/revoke-orphan', { token: 'unknown' }),
    ];
    expect(answers.map((answer) => [answer.status, errorsOf(answer)])).toEqual([
      [200, undefined],
      [400, ['invalid accessor']],
      [400, ['missing token ID']],
      [400, ['token to revoke not found']],
    ]);
  });
});

describe('tokens with a limited number of uses', () => {
  test('work exactly that often, however many requests arrive at once', async () => {
    // Connections are opened first so that the requests arrive at once.
    await Promise.all(Array.from({ length: 20 }, () => admin.read('auth/token/lookup-self')));
    for (const uses of [1, 3]) {
      const client = server.with(await tokenWith(admin, { policies: ['default'], num_uses: uses }));
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => client.read('auth/token/lookup-self')),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(uses);
      expect(answers.filter(({ status }) => status === 403)).toHaveLength(20 - uses);
    }
  });

  test('cannot create other tokens', async () => {
    const client = server.with(await tokenWith(admin, { policies: ['maker'], num_uses: 3 }));
    expect(errorsOf(await client.write('auth/token/create'))).toEqual([
      'restricted use token cannot generate child tokens',
    ]);
    expect((await client.read('auth/token/lookup-self')).data['num_uses']).toBe(1);
  });
});

test('a sign-in lasts a day unless its token is renewed', async () => {
  const { data } = await admin.read('auth/token/lookup-self');
  expect(data).toMatchObject({
    ttl: expect.any(Number),
    creation_ttl: day,
    explicit_max_ttl: 0,
    renewable: true,
  });
});
