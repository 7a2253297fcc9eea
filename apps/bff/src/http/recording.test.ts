import { DatabaseSync } from 'node:sqlite';
import { allEndpoints, type EndpointName, type EndpointOf } from '@gatehouse/api-types/console/endpoints';
import type { EndpointDefinition } from '@gatehouse/api-types/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  boundaryController,
  boundaryPassword,
  boundaryTarget,
  type BoundaryController,
} from '#test/boundary-controller.ts';
import type { Browser } from '#test/browser.ts';
import { signInAs, startConsole, type TestConsole, confirmAs } from '#test/console.ts';
import { accessCalls } from '#test/recorded/access-calls.ts';
import { boxesCalls } from '#test/recorded/boxes-calls.ts';
import { consoleCalls } from '#test/recorded/console-calls.ts';
import { modulesCalls } from '#test/recorded/modules-calls.ts';
import { movesCalls } from '#test/recorded/moves-calls.ts';
import { canary, type RecordedCall } from '#test/recorded/recorded-call.ts';
import { secretsCalls } from '#test/recorded/secrets-calls.ts';

/** Changes, and recorded reads. */
type Recorded = {
  [Name in EndpointName]: EndpointOf<Name> extends { readonly audit: unknown } ? Name : never;
}[EndpointName];

/** A call of each: a new operation needs one. */
const calls: { readonly [Name in Recorded]: RecordedCall } = {
  ...consoleCalls,
  ...accessCalls,
  ...secretsCalls,
  ...boxesCalls,
  ...modulesCalls,
  ...movesCalls,
};

let controller: BoundaryController;
let console: TestConsole;
let page: Browser;

beforeAll(async () => {
  controller = await boundaryController();
  controller.targets.set('none', boundaryTarget('none', { name: 'db' }));
});
afterAll(() => controller.close());

const pathOf = ({ path }: EndpointDefinition): string =>
  path
    .replace(':environment', 'test')
    .replace(':service', 'access')
    .replace(':id', 'none')
    .replace(':mount', 'none')
    .replace(':path', 'none')
    .replace(':plugin', 'secret%2Fnone')
    .replace(':role', 'none')
    .replace(':secondary', 'none')
    .replace(':run', 'pr_none')
    .replace(':move', 'mv_none')
    // A new module version needs a number.
    .replace(/:version(?=\/publish$)/, '1.0.0')
    .replaceAll(/:(?:username|namespace|name|version|provider|architecture|member)(?=\/|$)/g, 'none')
    .replace(':sequence', '1')
    .replace(':key', 'none');

/** A registry that is configured and doesn't answer. */
const nowhere = { kind: 'url', url: new URL('http://127.0.0.1:1') } as const;

describe('calls every operation that changes something or is recorded otherwise', () => {
  beforeAll(async () => {
    const endpoint = { kind: 'url', url: new URL(controller.url) } as const;
    console = await startConsole({ access: endpoint, boxes: nowhere });
  });
  afterAll(() => console.close());

  test.each(Object.keys(calls) as Recorded[])('records %s before and after, by paths', async (name) => {
    const endpoint = declared(name);
    const { body, record = '', paths = [] } = calls[name];
    console.clock.advance(3_600_000);
    page = console.browser();
    await signInAs(page, 'admin', boundaryPassword);
    await confirmAs(page, boundaryPassword);
    const before = rowsOf(console).length;
    let seenBefore: number | undefined;
    controller.intercept = () => {
      seenBefore ??= rowsOf(console).length;
      return false;
    };
    const answer = await page.send(endpoint.method, pathOf(endpoint), {
      ...(body !== undefined && { body }),
      ...(endpoint.guarded === true && { revision: '1' }),
    });
    controller.intercept = undefined;
    expect(answer.json['code'], answer.text).not.toBe('revision-required');
    expect(answer.json['code'], answer.text).not.toBe('confirmation-required');
    const rows = rowsOf(console).slice(before);
    if (typeof endpoint.audit !== 'string') {
      expect(rows).toEqual([]);
      return;
    }
    const [intent, outcome] = rows;
    expect(rows).toHaveLength(2);
    expect(intent).toMatchObject({
      action: endpoint.audit,
      outcome: 'intent',
      intent: null,
      environment: 'test',
      service: serviceOf(name, endpoint),
      resource_kind: endpoint.audit?.split('.')[0],
      revision_before: endpoint.guarded === true ? '1' : null,
      request_id: answer.headers['x-request-id'],
    });
    expect(intent?.['resource_id']).toBe(record === 'own session' ? intent?.['session_id'] : record);
    expect(JSON.parse(String(intent?.['paths']))).toEqual(paths);
    expect(outcome).toMatchObject({
      action: endpoint.audit,
      intent: intent?.['sequence'],
      problem: answer.status < 400 ? null : answer.json['code'],
    });
    expect(outcome?.['outcome']).toBe(
      answer.status < 400 ? 'succeeded' : answer.status < 500 && answer.status !== 424 ? 'refused' : 'failed',
    );
    // The intent was on the disk before the service was called.
    if (seenBefore !== undefined) expect(seenBefore).toBe(before + 1);
    const values = rows.map(({ resource_name: _name, ...row }) => row);
    expect(JSON.stringify(values)).not.toContain(canary);
  });
});

test.each([
  { what: 'are refused', path: 'access/targets/gone', status: 404 },
  { what: 'need a service they are not signed in to', path: 'boxes/owners/ada/boxes/gone', status: 424 },
])('delays a user whose requests $what, and lets the trail grow no further', async ({ path, status }) => {
  const endpoint = { kind: 'url', url: new URL(controller.url) } as const;
  const own = await startConsole({ access: endpoint, boxes: nowhere });
  const browser = own.browser();
  await signInAs(browser, 'admin', boundaryPassword);
  await confirmAs(browser, boundaryPassword);
  const remove = () => browser.send('DELETE', `/api/environments/test/${path}`, { revision: '1' });
  const before = rowsOf(own).length;
  for (let refusal = 0; refusal < 300; refusal++) expect((await remove()).status).toBe(status);
  const rows = rowsOf(own).length;
  expect(rows).toBe(before + 600);
  const seen = controller.seen.length;
  expect((await remove()).json).toMatchObject({ status: 429, code: 'rate-limited' });
  expect([rowsOf(own).length, controller.seen.length]).toEqual([rows, seen]);
  own.clock.advance(1_000);
  expect((await remove()).status).toBe(status);
  expect((await remove()).status).toBe(429);
  expect((await browser.send('DELETE', '/api/session')).status).toBe(204);
  await own.close();
});

test("does nothing that can't be recorded", async () => {
  const endpoint = { kind: 'url', url: new URL(controller.url) } as const;
  const own = await startConsole({ access: endpoint, boxes: nowhere });
  const browser = own.browser();
  await signInAs(browser, 'admin', boundaryPassword);
  await confirmAs(browser, boundaryPassword);
  // Someone removes the trail under the console, so no row can be added from then on.
  const file = new DatabaseSync(`${own.dataDir}/console.db`);
  file.exec('ALTER TABLE audit RENAME TO audit_gone');
  file.close();
  for (const name of Object.keys(calls) as Recorded[]) {
    const endpoint = declared(name);
    if (typeof endpoint.audit !== 'string') continue;
    const { body } = calls[name];
    const seen = controller.seen.length;
    const answer = await browser.send(endpoint.method, pathOf(endpoint), {
      ...(body !== undefined && { body }),
      ...(endpoint.guarded === true && { revision: '1' }),
    });
    expect(answer.json, name).toMatchObject({
      status: 503,
      code: 'service-unavailable',
      detail: expect.stringMatching(/makes no change that it can't record/),
    });
    expect(controller.seen.length, name).toBe(seen);
  }
  expect((await browser.send('GET', '/api/environments/test/access/targets/none')).status).toBe(200);
  await own.close();
});

function declared(name: Recorded): EndpointDefinition {
  const endpoint = allEndpoints.find((one) => one.name === name);
  if (endpoint === undefined) throw new Error(`${name} is not declared`);
  return endpoint;
}

function serviceOf(name: Recorded, { path }: EndpointDefinition): string {
  if (name === 'session.signIn' || name === 'connections.connect' || name === 'connections.disconnect')
    return 'access';
  if (/\/publish-|\/two-factor\/|\/moves/.test(path)) return 'boxes';
  return /:environment\/(access|secrets|boxes|modules)\//.exec(path)?.[1] ?? '';
}

function rowsOf({ dataDir }: TestConsole): Record<string, unknown>[] {
  const file = new DatabaseSync(`${dataDir}/console.db`, { readOnly: true });
  try {
    return file.prepare('SELECT * FROM audit ORDER BY sequence').all();
  } finally {
    file.close();
  }
}
