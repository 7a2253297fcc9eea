import type { IncomingMessage, ServerResponse } from 'node:http';
import { createLog, silentLog } from '@gatehouse/service-kit/log';
import { describe, expect, test } from 'vitest';
import { itemsOf, startController, textOf } from '../testing/controller.ts';
import type { Client, TestController, Wire } from '../testing/controller.ts';
import { startForeignServer } from '../testing/foreign-server.ts';
import { SourceMaker, generatedProject } from '../testing/sources.ts';

const json = { 'content-type': 'application/json' };

test.each<[string, string, (req: IncomingMessage, res: ServerResponse) => void]>([
  ['a gateway without a server behind it', 'unreachable', (_req, res) => res.writeHead(503).end('<html>')],
  ['a bad gateway', 'unreachable', (_req, res) => res.writeHead(502).end()],
  [
    'a sealed server',
    'sealed',
    (_req, res) => res.writeHead(503, json).end('{"errors":["Vault is sealed"]}'),
  ],
  ['too many requests', 'rate-limited', (_req, res) => res.writeHead(429, json).end('{"errors":[]}')],
  ['a broken connection', 'unreachable', (req) => req.socket.destroy()],
  ['silence', 'timeout', () => undefined],
  ['an answer that never ends', 'timeout', (_req, res) => res.writeHead(200, json).write('{')],
  ['a redirect', 'bad-answer', (_req, res) => res.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
  ['a page', 'bad-answer', (_req, res) => res.writeHead(200).end('<html>')],
  ['a list', 'bad-answer', (_req, res) => res.writeHead(200, json).end('[]')],
  ['nothing but an envelope', 'bad-answer', (_req, res) => res.writeHead(200, json).end('{"data":null}')],
  ['too much', 'bad-answer', (_req, res) => res.writeHead(200, json).end(`"${'x'.repeat(200_000)}"`)],
  [
    'too many members',
    'bad-answer',
    (_req, res) => res.writeHead(200, json).end(`{"data":{"a":[1${',1'.repeat(10_000)}]}}`),
  ],
  [
    'too deep an answer',
    'bad-answer',
    (_req, res) => res.writeHead(200, json).end(`{"data":{"a":${'['.repeat(64)}${']'.repeat(64)}}}`),
  ],
  [
    'too many interim responses',
    'bad-answer',
    (_req, res) => {
      for (let count = 0; count <= 100; count++) res.writeEarlyHints({ link: '</a>' });
      res.writeHead(200, json).end('{"data":{"a":"b"}}');
    },
  ],
  ['an internal error', 'bad-answer', (_req, res) => res.writeHead(500, json).end('{"errors":["canary"]}')],
  ['a refusal', 'refused', (_req, res) => res.writeHead(400, json).end('{"errors":["canary"]}')],
])('%s of the secrets server is reported as %s', async (_what, reason, fail) => {
  await using server = await startForeignServer();
  await using controller = await startController({
    secretsServerLimits: { connectMs: 500, callMs: 500, answerBytes: 100_000 },
  });
  const operator = await controller.as('operator');
  const { target } = await makeTarget(controller, operator, server.url, 'secret/data/x');
  server.fail(fail);
  const refused = await operator.post(`/v1/targets/${target}:authorize-session`, {});
  expect(refused).toMatchObject({
    status: 400,
    body: { kind: 'FailedPrecondition', details: { credential_source: { reason } } satisfies Wire },
  });
  expect(JSON.stringify(refused.body)).not.toContain('canary');
});

describe('a right that ends while the secrets server works', () => {
  test.each([
    [
      'a session',
      401,
      (client: Client, { target }: Made) => client.post(`/v1/targets/${target}:authorize-session`, {}),
    ],
    ['new store', 403, (client: Client, { fields }: Made) => client.post('/v1/credential-stores', fields)],
    [
      'new token of a store',
      403,
      (client: Client, { store }: Made) =>
        client.patch(`/v1/credential-stores/${store}`, {
          version: 1,
          attributes: { token: 'another-token' },
        }),
    ],
  ])('allows no %s', async (_what, status, begin) => {
    await using server = await startForeignServer();
    const errors: string[] = [];
    const log = { ...silentLog, error: (what: string) => void errors.push(what) };
    await using controller = await startController({ log });
    const [operator, administrator] = [await controller.as('operator'), await controller.as('administrator')];
    const made = await makeTarget(controller, operator, server.url, 'database/creds/app');
    const stored = async (): Promise<unknown> => [
      itemsOf(await administrator.get(`/v1/sessions?scope_id=${generatedProject}`)),
      itemsOf(await administrator.get(`/v1/credential-stores?scope_id=${generatedProject}`)),
    ];
    const before = await stored();
    const { asked, release } = server.hold();
    const answer = begin(operator, made);
    await asked;
    const account = controller.accounts.getByLoginName('operator');
    await controller.accounts.update(
      account?.id ?? '',
      account?.version ?? 0,
      status === 401 ? { disabled: true } : { roles: { access: 'read-only' } },
    );
    release();
    const refused = await answer;
    expect(refused.status, JSON.stringify(refused.body)).toBe(status);
    expect(await stored()).toEqual(before);
    // The lease to revoke is stored whatever its user may do.
    expect(errors).toEqual([]);
  });
});

test.each([
  ['that no date can have', 8.7e12],
  ['that no number of milliseconds can have', 1e13],
  ['that is the largest number', Number.MAX_VALUE],
  ['with an exponent', JSON.rawJSON('1e13')],
  ['with a fraction', 600.123],
])('a duration %s from the secrets server breaks no list, and its lease is revoked', async (_what, ttl) => {
  await using server = await startForeignServer();
  server.ttl = ttl;
  const lines: string[] = [];
  const log = createLog({ service: 'access', destination: { write: (line) => void lines.push(line) } });
  await using controller = await startController({ log, upkeepMs: 10 });
  const operator = await controller.as('operator');
  const { store, target } = await makeTarget(controller, operator, server.url, 'database/creds/app');
  const { status, body } = await operator.get(`/v1/credential-stores?scope_id=${generatedProject}`);
  expect([status, body['items']]).toMatchObject([200, [{ id: store }]]);
  expect(JSON.stringify(body)).toMatch(/"token_expiration_time":"2\d{3}-/);
  const session = await operator.post(`/v1/targets/${target}:authorize-session`, {});
  expect(session.status, JSON.stringify(session.body)).toBe(200);
  await operator.post(`/v1/sessions/${textOf(session.body, 'session_id')}:cancel`, { version: 1 });
  await expect.poll(() => server.revoked).toEqual(['database/creds/app/1']);
  expect(lines.filter((line) => line.includes('not checked'))).toEqual([]);
});

type Made = Awaited<ReturnType<typeof makeTarget>>;

/** A target with a library that reads this path of a secrets server. */
async function makeTarget(controller: TestController, operator: Client, address: string, path: string) {
  const make = new SourceMaker(controller, operator);
  const fields = { scope_id: generatedProject, type: 'vault', attributes: { address, token: 'a-token' } };
  const store = textOf(await make.create('/v1/credential-stores', fields), 'id');
  const library = await make.create('/v1/credential-libraries', {
    credential_store_id: store,
    type: 'vault-generic',
    attributes: { path },
  });
  const target = textOf(await make.target({ address: 'db.example' }), 'id');
  await make.create(`/v1/targets/${target}:add-credential-sources`, {
    version: 1,
    brokered_credential_source_ids: [textOf(library, 'id')],
  });
  return { fields, store, target };
}
