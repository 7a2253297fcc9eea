/** Activations between two other servers: which requests each gets, and what never reaches the page. */
import { createLog } from '@gatehouse/service-kit/log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTurn } from '#conflict/in-turn.ts';
import type { Browser } from '#test/browser.ts';
import { confirmAs, startConsole, type TestConsole } from '#test/console.ts';
import { vaultServer, vaultToken, type VaultServer } from '#test/vault-server.ts';

const place = 'sys/replication/performance';
const canary = 'canary-activation-token';

/** A server with answers by method and path. Everything else is 404. */
interface Side {
  readonly vault: VaultServer;
  answers: Record<string, readonly [status: number, body: unknown]>;
}

let leader: Side;
let follower: Side;
let console: TestConsole;
let page: Browser;
let log = '';

async function side(): Promise<Side> {
  const vault = await vaultServer();
  const self: Side = { vault, answers: {} };
  vault.openPaths.add(`/v1/${place}/status`);
  vault.engine = ({ method, path }) =>
    self.answers[`${method} ${path.slice('/v1/'.length)}`] ?? [404, { errors: ['unsupported path'] }];
  return self;
}

beforeAll(async () => {
  leader = await side();
  follower = await side();
  const at = (vault: VaultServer) => ({ kind: 'url', url: new URL(vault.url) }) as const;
  console = await startConsole({
    secrets: at(leader.vault),
    log: createLog({
      service: 'console',
      level: 'debug',
      destination: { write: (line) => void (log += line) },
    }),
    others: [
      {
        id: 'second',
        name: 'Second',
        kind: 'development',
        sharedAccounts: false,
        services: { secrets: { endpoint: at(follower.vault), signIn: ['password', 'token'] } },
      },
    ],
  });
});
afterAll(async () => {
  await console.close();
  await leader.vault.close();
  await follower.vault.close();
});
beforeEach(async () => {
  const credentials = { method: 'token', token: vaultToken };
  page = console.browser();
  await page.send('POST', '/api/session', { body: { environment: 'test', service: 'secrets', credentials } });
  await page.send('POST', '/api/environments/second/connections/secrets', { body: { credentials } });
  for (const environment of ['test', 'second']) await confirmAs(page, vaultToken, environment);
  leader.answers = {
    [`GET ${place}/status`]: [200, { data: { mode: 'primary', known_secondaries: ['us'], secondaries: [] } }],
    [`POST ${place}/primary/secondary-token`]: [
      200,
      { wrap_info: { token: canary, ttl: 300, creation_time: '2026-11-23T08:00:00Z' }, data: null },
    ],
    [`POST ${place}/primary/revoke-secondary`]: [200, { warnings: [] }],
    [`GET ${place}/primary/paths-filter/eu`]: [404, { errors: [] }],
    [`POST ${place}/primary/paths-filter/eu`]: [204, null],
    [`DELETE ${place}/primary/paths-filter/eu`]: [204, null],
  };
  follower.answers = {
    [`GET ${place}/status`]: [200, { data: { mode: 'disabled' } }],
    [`POST ${place}/secondary/enable`]: [200, { warnings: ['It is being enabled.'] }],
    [`POST ${place}/secondary/update-primary`]: [200, { warnings: [] }],
  };
  for (const { vault } of [leader, follower]) vault.seen.length = 0;
});

/** The changes that a server was asked for, with their bodies. */
const changesAt = ({ vault }: Side): unknown[] =>
  vault.seen
    .filter(({ method, path }) => method !== 'GET' && path.startsWith(`/v1/${place}/`))
    .map(({ method, path, body }) => [
      `${method} ${path.slice(`/v1/${place}/`.length)}`,
      ...(body === '' ? [] : [JSON.parse(body) as unknown]),
    ]);
const add = (body: object = {}) =>
  page.send('POST', '/api/environments/second/secrets/replication/add-secondary', {
    body: { primary: 'test', id: 'eu', ...body },
  });
const update = (body: object, environment = 'second') =>
  page.send('POST', `/api/environments/${environment}/secrets/replication/update-primary`, { body });

describe('adding a secondary', () => {
  test('saves the filter, then passes a wrapping token from server to server', async () => {
    const answer = await add({
      ttl: '5m',
      filter: { mode: 'deny', paths: ['b', 'a', 'b'] },
      primary_api_addr: 'https://a.example:8200',
      ca_file: '/etc/ca.pem',
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toMatchObject({ warnings: ['It is being enabled.'] });
    expect(answer.text).not.toContain(canary);
    expect(log).toContain('add-secondary');
    expect(log).not.toContain(canary);
    expect(changesAt(leader)).toEqual([
      ['POST primary/paths-filter/eu', { mode: 'deny', paths: ['a/', 'b/'] }],
      ['POST primary/secondary-token', { id: 'eu', ttl: '5m' }],
    ]);
    expect(changesAt(follower)).toEqual([
      ['POST secondary/generate-public-key', {}],
      [
        'POST secondary/enable',
        { token: canary, primary_api_addr: 'https://a.example:8200', ca_file: '/etc/ca.pem' },
      ],
    ]);
  });

  test('changes no filter if everything is to be replicated and none is stored', async () => {
    expect((await add({ filter: { mode: 'all', paths: [] } })).status).toBe(200);
    expect(changesAt(leader)).toEqual([['POST primary/secondary-token', { id: 'eu' }]]);
  });

  test("deletes the identifier's stored filter if everything is to be replicated", async () => {
    leader.answers[`DELETE ${place}/primary/paths-filter/eu`] = [204, ''];
    leader.answers[`GET ${place}/primary/paths-filter/eu`] = [
      200,
      { data: { mode: 'deny', paths: ['secret/'] } },
    ];
    expect((await add({ filter: { mode: 'all', paths: [] } })).status).toBe(200);
    expect(changesAt(leader)).toEqual([
      ['DELETE primary/paths-filter/eu'],
      ['POST primary/secondary-token', { id: 'eu' }],
    ]);
  });

  test('has the token encrypted if the secondary has a public key', async () => {
    const secondary_public_key = 'MCowBQYDK2VuAyEA';
    follower.answers[`POST ${place}/secondary/generate-public-key`] = [
      200,
      { data: { secondary_public_key } },
    ];
    leader.answers[`POST ${place}/primary/secondary-token`] = [200, { data: { token: `sealed-${canary}` } }];
    const answer = await add();
    expect(answer.status, answer.text).toBe(200);
    expect(changesAt(leader)).toEqual([['POST primary/secondary-token', { id: 'eu', secondary_public_key }]]);
    expect(changesAt(follower).at(-1)).toEqual(['POST secondary/enable', { token: `sealed-${canary}` }]);
  });

  test("ends the console's token at the secondary", async () => {
    follower.vault.before = ({ path }) => {
      if (path.endsWith('/secondary/enable')) {
        follower.answers[`GET ${place}/status`] = [200, { data: { mode: 'secondary', secondary_id: 'eu' } }];
      }
    };
    const answer = await add();
    follower.vault.before = undefined;
    expect(answer.json).toMatchObject({
      status: { mode: 'secondary', secondary_id: 'eu', signed_in: false },
      connected: false,
    });
    expect((await page.send('GET', '/api/environments/second/secrets/mounts')).json).toMatchObject({
      code: 'not-connected',
    });
  });

  test('undoes the preparations if the secondary refuses', async () => {
    follower.answers[`POST ${place}/secondary/enable`] = [
      400,
      { errors: ["the primary at https://a.example:8200 can't be reached: canary-reason"] },
    ];
    const answer = await add({ filter: { mode: 'allow', paths: ['a'] } });
    expect(answer.json).toMatchObject({
      code: 'invalid-request',
      environment: 'second',
      fields: [{ path: 'primary_api_addr' }],
    });
    expect(answer.text).not.toContain('canary');
    expect(changesAt(leader).slice(2)).toEqual([
      ['POST primary/revoke-secondary', { id: 'eu' }],
      ['DELETE primary/paths-filter/eu'],
    ]);
    // The token is still valid, because the secondary's data wasn't cleared.
    expect((await page.send('GET', '/api/environments/second/secrets/replication')).json).toMatchObject({
      mode: 'disabled',
      signed_in: true,
    });
  });

  test('restores the previous filter', async () => {
    const before = { mode: 'deny', paths: ['a/'] };
    leader.answers[`GET ${place}/primary/paths-filter/eu`] = [200, { data: before }];
    leader.answers[`POST ${place}/primary/secondary-token`] = [400, { errors: ['ttl must be positive'] }];
    expect((await add({ filter: { mode: 'allow', paths: ['b'] } })).json).toMatchObject({
      environment: 'test',
      fields: [{ path: 'ttl' }],
    });
    expect(changesAt(leader).filter((change) => JSON.stringify(change).includes('paths-filter'))).toEqual([
      ['POST primary/paths-filter/eu', { mode: 'allow', paths: ['b/'] }],
      ['POST primary/paths-filter/eu', before],
    ]);
  });

  test("doesn't revoke the secondary of someone who took the identifier since", async () => {
    leader.answers[`POST ${place}/primary/secondary-token`] = [
      400,
      { errors: ['a secondary of this id is known already'] },
    ];
    const answer = await add({ filter: { mode: 'allow', paths: ['b'] } });
    expect(answer.json).toMatchObject({ environment: 'test', fields: [{ path: 'id' }] });
    expect(changesAt(leader).slice(1)).toEqual([
      ['POST primary/secondary-token', { id: 'eu' }],
      ['DELETE primary/paths-filter/eu'],
    ]);
  });

  test('revokes an activation that may have been created', async () => {
    leader.answers[`POST ${place}/primary/secondary-token`] = [500, { errors: ['it broke'] }];
    expect((await add()).status).toBe(502);
    expect(changesAt(leader).at(-1)).toEqual(['POST primary/revoke-secondary', { id: 'eu' }]);
  });

  test('waits for another change of the primary', async () => {
    const turn = Promise.withResolvers<void>();
    const primary = { environment: 'test', service: 'secrets', kind: 'cluster', id: 'test' };
    const held = inTurn(primary, () => turn.promise);
    const added = add();
    // As many requests as it would take to reach the primary.
    for (let count = 0; count < 10; count++) await page.send('GET', '/api/environments/test/activity');
    const asked = changesAt(leader);
    turn.resolve();
    await held;
    expect((await added).status).toBe(200);
    expect(asked).toEqual([]);
  });

  test('undoes nothing if the secondary may have activated, and reports the outcome as unknown', async () => {
    follower.answers[`POST ${place}/secondary/enable`] = [500, { errors: ['it broke'] }];
    follower.vault.before = ({ path }) => {
      if (path.endsWith('/secondary/enable'))
        follower.answers[`GET ${place}/status`] = [500, { errors: ['it broke'] }];
    };
    const answer = await add();
    follower.vault.before = undefined;
    expect(answer.json).toMatchObject({ code: 'outcome-unknown', environment: 'second' });
    expect(changesAt(leader)).toHaveLength(1);
  });

  test('succeeds if the answer was lost and the cluster has become the secondary', async () => {
    follower.answers[`POST ${place}/secondary/enable`] = [500, { errors: ['it broke'] }];
    follower.vault.before = ({ path }) => {
      if (path.endsWith('/secondary/enable'))
        follower.answers[`GET ${place}/status`] = [200, { data: { mode: 'secondary', secondary_id: 'eu' } }];
    };
    const answer = await add();
    follower.vault.before = undefined;
    expect(answer.json).toMatchObject({ status: { mode: 'secondary' }, warnings: [] });
  });

  test.each<[string, object, () => void, object]>([
    [
      'of an environment that is not there',
      { primary: 'third' },
      () => undefined,
      { fields: [{ path: 'primary' }] },
    ],
    ['of itself', { primary: 'second' }, () => undefined, { fields: [{ path: 'primary' }] }],
    ['of an identifier that is taken', { id: 'us' }, () => undefined, { fields: [{ path: 'id' }] }],
    [
      'of a cluster that is no primary',
      {},
      () => {
        leader.answers[`GET ${place}/status`] = [200, { data: { mode: 'disabled' } }];
      },
      { fields: [{ path: 'primary' }] },
    ],
    [
      'that already replicates',
      {},
      () => {
        follower.answers[`GET ${place}/status`] = [200, { data: { mode: 'secondary' } }];
      },
      { detail: expect.stringContaining('already enabled') },
    ],
    [
      'that has no replication',
      {},
      () => {
        delete follower.answers[`GET ${place}/status`];
      },
      { detail: "This server doesn't support replication." },
    ],
  ])('refuses one %s, and changes nothing on either server', async (_, body, prepare, problem) => {
    prepare();
    expect((await add(body)).json).toMatchObject({ code: 'invalid-request', ...problem });
    expect([...changesAt(leader), ...changesAt(follower)]).toEqual([]);
  });

  test("is recorded in both environments' trails", async () => {
    await add({ filter: { mode: 'allow', paths: ['a'] } });
    const last = async (environment: string, count: number) => {
      const { json } = await page.send('GET', `/api/environments/${environment}/activity`);
      return (json['items'] as object[]).slice(0, count);
    };
    expect(await last('second', 1)).toMatchObject([
      { action: 'replication.add-secondary', outcome: 'succeeded', resource: { id: 'eu' } },
    ]);
    expect(await last('test', 2)).toMatchObject([
      {
        action: 'replication-secondary.create-token',
        resource: { id: 'eu' },
        paths: ['part-of=replication.add-secondary', 'environment=second'],
      },
      {
        action: 'replication-secondary.save-filter',
        paths: ['part-of=replication.add-secondary', 'mode', 'paths'],
      },
    ]);
  });

  test('requires the password in every environment', async () => {
    console.clock.advance(6 * 60_000);
    expect((await add()).json).toMatchObject({
      code: 'confirmation-required',
      detail: expect.stringContaining('data that only this cluster has is removed from it'),
    });
  });
});

describe('another primary', () => {
  beforeEach(() => {
    follower.answers[`GET ${place}/status`] = [200, { data: { mode: 'secondary', secondary_id: 'eu' } }];
  });

  test('in another environment creates an activation there', async () => {
    const answer = await update({ kind: 'environment', primary: 'test', id: 'eu' });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.text).not.toContain(canary);
    expect(answer.json).toMatchObject({ status: { mode: 'secondary' }, connected: true });
    expect(changesAt(leader)).toEqual([['POST primary/secondary-token', { id: 'eu' }]]);
    expect(changesAt(follower).at(-1)).toEqual(['POST secondary/update-primary', { token: canary }]);
  });

  test("is refused for a cluster that isn't a secondary", async () => {
    follower.answers[`GET ${place}/status`] = [200, { data: { mode: 'primary' } }];
    expect((await update({ kind: 'environment', primary: 'test', id: 'eu' })).json).toMatchObject({
      code: 'invalid-request',
      detail: 'This cluster is not a secondary, so it has no primary to change. Refresh the page.',
    });
    expect(changesAt(leader)).toEqual([]);
  });

  test('needs no activation when only the addresses change, or the primary is forgotten', async () => {
    const addresses = ['a.example:8201', 'b.example:8201'];
    expect((await update({ kind: 'addresses', addresses })).status).toBe(200);
    expect((await update({ kind: 'forget' })).status).toBe(200);
    expect(changesAt(follower)).toEqual([
      ['POST secondary/update-primary', { update_primary_addrs: addresses }],
      ['POST secondary/update-primary', { token: '' }],
    ]);
    expect(leader.vault.seen).toEqual([]);
  });

  test('is refused for an invalid address', async () => {
    expect((await update({ kind: 'addresses', addresses: ['not an address'] })).json).toMatchObject({
      code: 'invalid-request',
      fields: [{ path: 'addresses.0' }],
    });
  });
});

describe('a change whose outcome is unknown', () => {
  const primary = { mode: 'primary', known_secondaries: ['us'] };
  const secondary = { mode: 'secondary', secondary_id: 'eu', primary_cluster_addr: 'a.example:8201' };
  const disabled = { mode: 'disabled' };
  const cases: readonly [
    operation: string,
    body: object | undefined,
    on: string,
    after: object,
    became: string,
  ][] = [
    ['enable-primary', {}, 'primary/enable', primary, 'succeeded'],
    ['enable-primary', {}, 'primary/enable', disabled, 'failed'],
    ['enable-primary', {}, 'primary/enable', secondary, 'unknown'],
    ['demote', undefined, 'primary/demote', secondary, 'succeeded'],
    ['demote', undefined, 'primary/demote', primary, 'failed'],
    ['disable-primary', undefined, 'primary/disable', disabled, 'succeeded'],
    ['disable-secondary', undefined, 'secondary/disable', secondary, 'failed'],
    ['promote', { force: true }, 'secondary/promote', primary, 'succeeded'],
    ['promote', {}, 'secondary/promote', secondary, 'failed'],
    ['update-primary', { kind: 'forget' }, 'secondary/update-primary', { mode: 'secondary' }, 'succeeded'],
    ['update-primary', { kind: 'forget' }, 'secondary/update-primary', secondary, 'failed'],
    ['secondaries/us', undefined, 'primary/revoke-secondary', primary, 'failed'],
    ['secondaries/us', undefined, 'primary/revoke-secondary', { mode: 'primary' }, 'succeeded'],
  ];

  test.each(cases)(
    'is settled: %s %j (%s), then %j, means it %s',
    async (operation, body, on, after, became) => {
      leader.answers[`GET ${place}/status`] = [500, { errors: ['it broke'] }];
      leader.answers[`POST ${place}/${on}`] = [500, { errors: ['it broke'] }];
      const method = operation.startsWith('secondaries/') ? 'DELETE' : 'POST';
      const answer = await page.send(method, `/api/environments/test/secrets/replication/${operation}`, {
        ...(body !== undefined && { body }),
      });
      expect(answer.json, answer.text).toMatchObject({ code: 'outcome-unknown' });
      leader.answers[`GET ${place}/status`] = [200, { data: after }];
      const activity = '/api/environments/test/activity';
      const { items } = (await page.send('GET', `${activity}?outcome=unknown`)).json as {
        items: { sequence: number }[];
      };
      const settled = await page.send('POST', `${activity}/${items[0]?.sequence}/settle`);
      expect(settled.json, settled.text).toMatchObject({ outcome: became });
    },
  );
});

test('a production primary requires the password before its data is sent elsewhere', async () => {
  follower.answers[`GET ${place}/status`] = [200, { data: { mode: 'secondary' } }];
  const own = await startConsole({
    secrets: { kind: 'url', url: new URL(follower.vault.url) },
    others: [
      {
        id: 'live',
        name: 'Live',
        kind: 'production',
        sharedAccounts: false,
        services: {
          secrets: { endpoint: { kind: 'url', url: new URL(leader.vault.url) }, signIn: ['token'] },
        },
      },
    ],
  });
  page = own.browser();
  const credentials = { method: 'token', token: vaultToken };
  await page.send('POST', '/api/session', { body: { environment: 'test', service: 'secrets', credentials } });
  await page.send('POST', '/api/environments/live/connections/secrets', { body: { credentials } });
  const point = () => update({ kind: 'environment', primary: 'live', id: 'eu' }, 'test');
  await confirmAs(page, vaultToken, 'test');
  expect((await point()).json).toMatchObject({ code: 'confirmation-required', environment: 'live' });
  await confirmAs(page, vaultToken, 'live');
  expect((await point()).status).toBe(200);
  await own.close();
});
