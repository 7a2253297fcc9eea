import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { testPassword } from '@gatehouse/secrets-server/testing/server';
import { createLog } from '@gatehouse/service-kit/log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { confirmAs } from '#test/console.ts';
import { answering } from '#test/fault-proxy.ts';
import { secretAt, secretsApi, startSecrets, type SecretsConsole } from '#test/secrets.ts';

/** Answers to writes have some 700 bytes of header and body. */
const cuts =
  process.env['GATEHOUSE_DEEP'] === '1'
    ? Array.from({ length: 700 }, (_, n) => n)
    : [0, 1, 15, 120, 300, 500];

let secrets: SecretsConsole;
let page: Browser;
let count = 0;
let log = '';

beforeAll(async () => {
  secrets = await startSecrets({
    bff: { limits: { callMs: 400, connectMs: 400 } },
    log: createLog({
      service: 'console',
      level: 'debug',
      destination: { write: (line) => void (log += line) },
    }),
  });
  page = await secrets.signedIn();
});
afterAll(() => secrets[Symbol.asyncDispose]());
beforeEach(() => {
  secrets.proxy.fault = { kind: 'none' };
  secrets.proxy.cutNext = undefined;
  delete secrets.proxy.onRequest;
});

async function made(versions = 1): Promise<string> {
  const path = `faults/s${++count}`;
  for (let n = 1; n <= versions; n++) {
    await secrets.direct.write(`secret/data/${path}`, { data: { n, keep: 'canary-kept' } });
  }
  return path;
}
/** Cuts the answer to the next request that begins with `start`, or from then on every answer if `lasting`. */
function cut(start: string, at: number, lasting = false): void {
  let isCut = false;
  secrets.proxy.onRequest = (bytes) => {
    if (isCut) secrets.proxy.drop();
    if (isCut || !bytes.includes(start)) return;
    isCut = true;
    secrets.proxy.cutNext = at;
    if (lasting) secrets.proxy.fault = { kind: 'hang up' };
    else delete secrets.proxy.onRequest;
  };
}
function mend(): void {
  delete secrets.proxy.onRequest;
  secrets.proxy.fault = { kind: 'none' };
}
const versionOf = async (path: string) =>
  (await secrets.direct.read(`secret/metadata/${path}`)).data['current_version'];

describe('recognizes its own write from an answer cut at any byte, and writes once', () => {
  test('for a first version, a later one, and a patch', async () => {
    for (const at of cuts) {
      const path = await made(0);
      cut('POST /v1/secret/data/', at);
      const first = await page.send('POST', secretAt(path), {
        body: { data: '{"a":1,"b":9007199254740993}' },
      });
      expect(first.json, `cut at ${at}: ${first.text}`).toMatchObject({ revision: '1' });
      cut('POST /v1/secret/data/', at);
      const next = await page.send('PUT', secretAt(path), {
        revision: '1',
        body: { data: '{ "b": 9007199254740993, "a": 2 }' },
      });
      expect(next.json, `cut at ${at}: ${next.text}`).toMatchObject({ revision: '2' });
      cut('PATCH /v1/secret/data/', at);
      const patched = await page.send('PATCH', secretAt(path), {
        revision: '2',
        body: { data: '{"a":null}' },
      });
      expect(patched.json, `cut at ${at}: ${patched.text}`).toMatchObject({ revision: '3' });
      expect(await versionOf(path)).toBe(3);
    }
  });

  test('for a deletion, a destruction and settings', async () => {
    await confirmAs(page, testPassword);
    for (const at of cuts.slice(0, 3)) {
      const path = await made(2);
      cut('DELETE /v1/secret/data/', at);
      expect((await page.send('DELETE', secretAt(path), { revision: '2' })).status).toBe(204);
      cut('PUT /v1/secret/destroy/', at);
      const destroyed = await page.send('POST', secretAt(path, '/destroy'), { body: { versions: [1] } });
      expect(destroyed.status, destroyed.text).toBe(204);
      const metadata = `${secretsApi}/mounts/secret/metadata/${encodeURIComponent(path)}`;
      const { json } = await page.send('GET', metadata);
      cut('PATCH /v1/secret/metadata/', at);
      const set = await page.send('PATCH', metadata, {
        revision: String(json['revision']),
        body: { max_versions: 3 },
      });
      expect(set.json, set.text).toMatchObject({
        max_versions: 3,
        versions: [{ state: 'deleted' }, { state: 'destroyed' }],
      });
      cut('DELETE /v1/secret/metadata/', at);
      expect((await page.send('POST', secretAt(path, '/delete-forever'), { revision: '2' })).status).toBe(
        204,
      );
    }
  });
});

test("a change of settings is reported as made if only the user's rights can't be read after it", async () => {
  await confirmAs(page, testPassword);
  const metadata = `${secretsApi}/mounts/secret/metadata/${encodeURIComponent(await made())}`;
  for (const [method, path] of [
    ['PATCH', metadata],
    ['PUT', `${secretsApi}/mounts/secret/settings`],
  ] as const) {
    const { json } = await page.send('GET', path);
    secrets.proxy.onRequest = (bytes) => {
      if (bytes.includes('sys/capabilities-self ')) secrets.proxy.drop();
    };
    const { max_versions: _, cas_required, delete_version_after } = json;
    const body = { max_versions: 9, ...(method === 'PUT' && { cas_required, delete_version_after }) };
    const set = await page.send(method, path, { revision: String(json['revision']), body });
    delete secrets.proxy.onRequest;
    expect(set.json, set.text).toMatchObject({ max_versions: 9, may: null });
  }
});

describe("a write whose outcome can't be read", () => {
  const settle = async (browser: Browser, action: string) => {
    const { json } = await browser.send(
      'GET',
      `/api/environments/test/activity?action=${action}&outcome=unknown`,
    );
    const [entry] = json['items'] as { sequence: number; can_settle: boolean }[];
    expect(entry?.can_settle).toBe(true);
    return (await browser.send('POST', `/api/environments/test/activity/${entry?.sequence}/settle`)).json;
  };

  test('is reported as unknown, and settled by one read if that shows the outcome', async () => {
    const path = await made(2);
    cut('POST /v1/secret/data/', 0, true);
    const restored = await page.send('POST', secretAt(path, '/restore'), {
      revision: '2',
      body: { version: 1 },
    });
    expect(restored.json, restored.text).toMatchObject({ code: 'outcome-unknown' });
    mend();
    expect(await versionOf(path)).toBe(3);
    expect(await settle(page, 'secret.restore')).toMatchObject({ outcome: 'succeeded', revision_after: '3' });

    cut('DELETE /v1/secret/data/', 0, true);
    const deleted = await page.send('DELETE', secretAt(path), { revision: '3' });
    expect(deleted.json).toMatchObject({ code: 'outcome-unknown' });
    mend();
    expect(await settle(page, 'secret.delete')).toMatchObject({ outcome: 'succeeded' });

    cut('POST /v1/secret/data/', 0, true);
    await page.send('PUT', secretAt(path), { revision: '3', body: { data: '{"a":1}' } });
    mend();
    // Sent values aren't stored in the trail, so the fourth version may be anyone's.
    expect(await settle(page, 'secret.update')).toMatchObject({ outcome: 'unknown' });
  });
});

describe("a server that can't answer", () => {
  test('is reported with its own code: unreachable, silent or unintelligible', async () => {
    const path = await made();
    for (const [fault, code] of [
      [{ kind: 'hang up' }, 'service-unavailable'],
      [{ kind: 'silence' }, 'service-timeout'],
      [{ kind: 'garbage', seed: 7 }, 'bad-answer'],
      [answering(507), 'storage-full'],
    ] as const) {
      secrets.proxy.fault = fault;
      secrets.proxy.drop();
      const answer = await page.send('GET', secretAt(path));
      expect(answer.json, fault.kind).toMatchObject({ code, service: 'secrets', environment: 'test' });
      secrets.proxy.fault = { kind: 'none' };
      secrets.proxy.drop();
    }
    expect((await page.send('GET', secretAt(path))).status).toBe(200);
  });

  test('because its disk is full is reported so for a write, whose outcome is known', async () => {
    const path = await made();
    secrets.proxy.fault = answering(507);
    secrets.proxy.drop();
    const answer = await page.send('PUT', secretAt(path), { revision: '1', body: { data: '{"n":2}' } });
    expect(answer.json).toMatchObject({ status: 507, code: 'storage-full' });
    mend();
  });

  test('is reported as sealed, keeps the session, and is used again once unsealed', async () => {
    const path = await made();
    const sealed = await secrets.direct.write('sys/seal');
    expect(sealed.status).toBe(204);
    for (const answer of [
      await page.send('GET', secretAt(path)),
      await page.send('PUT', secretAt(path), { revision: '1', body: { data: '{}' } }),
      await page.send('GET', `${secretsApi}/mounts`),
    ]) {
      expect(answer.json).toMatchObject({ status: 503, code: 'service-sealed', service: 'secrets' });
    }
    secrets.console.clock.advance(5_000);
    expect((await page.send('GET', '/api/connections')).json['connections']).toMatchObject([
      { service: 'secrets', state: 'sealed' },
    ]);
    expect((await page.send('GET', '/api/session')).status).toBe(200);
  });
});

test("stores no values and no tokens in the log or the console's files", async () => {
  const everything = readdirSync(secrets.console.dataDir, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(join(one.parentPath, one.name), 'latin1'))
    .join('\n');
  expect(log.length).toBeGreaterThan(1_000);
  for (const text of [log, everything]) {
    expect(text).not.toContain('canary');
    expect(text).not.toMatch(/\bhvs\.[A-Za-z0-9_-]{20,}/);
    expect(text).not.toContain('9007199254740993');
    expect(text).not.toContain(secrets.direct.token ?? 'no token');
  }
});
