import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { startController, textOf } from '../testing/controller.ts';
import type { Wire } from '../testing/controller.ts';
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
  const make = new SourceMaker(controller, operator);
  const store = await make.create('/v1/credential-stores', {
    scope_id: generatedProject,
    type: 'vault',
    attributes: { address: server.url, token: 'a-token' },
  });
  const library = await make.create('/v1/credential-libraries', {
    credential_store_id: textOf(store, 'id'),
    type: 'vault-generic',
    attributes: { path: 'secret/data/x' },
  });
  const target = textOf(await make.target({ address: 'db.example' }), 'id');
  await make.create(`/v1/targets/${target}:add-credential-sources`, {
    version: 1,
    brokered_credential_source_ids: [textOf(library, 'id')],
  });
  server.fail(fail);
  const refused = await operator.post(`/v1/targets/${target}:authorize-session`, {});
  expect(refused).toMatchObject({
    status: 400,
    body: { kind: 'FailedPrecondition', details: { credential_source: { reason } } satisfies Wire },
  });
  expect(JSON.stringify(refused.body)).not.toContain('canary');
});
