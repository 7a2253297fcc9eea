import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { startEmbedded, type EmbeddedConsole } from '#test/embedded.ts';

const targets = '/api/environments/test/access/targets';
let embedded: EmbeddedConsole;
let page: Browser;
let count = 0;

beforeAll(async () => {
  embedded = await startEmbedded();
  page = await embedded.signedIn();
});
afterAll(() => embedded.close());

async function create(
  fields: Record<string, unknown> = {},
): Promise<{ id: string; revision: string; name: string }> {
  count += 1;
  const answer = await page.send('POST', targets, {
    body: {
      scope_id: 'p_1234567890',
      type: 'tcp',
      name: `target ${count}`,
      attributes: { default_port: 22 },
      ...fields,
    },
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as { id: string; revision: string; name: string };
}

const get = (id: string): Promise<BrowserAnswer> => page.send('GET', `${targets}/${id}`);
const patch = (id: string, revision: string, body: unknown, by: Browser = page): Promise<BrowserAnswer> =>
  by.send('PATCH', `${targets}/${id}`, { revision, body });

describe('targets of the embedded controller', () => {
  test('can be created, read, changed, listed and deleted', async () => {
    const made = await create({ description: 'first', address: 'db.example', session_max_seconds: 600 });
    expect(made).toMatchObject({
      revision: '1',
      description: 'first',
      address: 'db.example',
      session_connection_limit: -1,
    });
    expect((await get(made.id)).json).toEqual(made);
    const changed = await patch(made.id, '1', {
      description: '',
      session_max_seconds: null,
      attributes: { default_client_port: 2222 },
    });
    expect(changed.json).toMatchObject({
      revision: '2',
      description: '',
      session_max_seconds: 28_800,
      address: 'db.example',
      attributes: { default_port: 22, default_client_port: 2222 },
    });
    const list = await page.send(
      'GET',
      `${targets}?scope_id=global&recursive=true&filter=${encodeURIComponent(`"/item/id" == "${made.id}"`)}`,
    );
    expect(list.json['items']).toEqual([changed.json]);
    expect((await page.send('DELETE', `${targets}/${made.id}`, { revision: '2' })).status).toBe(204);
    expect((await get(made.id)).json).toMatchObject({ status: 404, code: 'not-found', service: 'access' });
    expect((await page.send('DELETE', `${targets}/${made.id}`, { revision: '2' })).json).toMatchObject({
      status: 404,
    });
  });

  test('can be listed page by page', async () => {
    for (let n = 0; n < 5; n++) await create();
    const seen = new Set<unknown>();
    let token: string | undefined;
    do {
      const { json } = await page.send(
        'GET',
        `${targets}?scope_id=p_1234567890&page_size=2${token === undefined ? '' : `&page_token=${token}`}`,
      );
      for (const item of json['items'] as { id: string }[]) seen.add(item.id);
      token = json['next_page_token'] as string | undefined;
    } while (token !== undefined);
    expect(seen.size).toBeGreaterThanOrEqual(5);
  });

  test('a duplicate name is refused beside the field', async () => {
    const made = await create();
    for (const answer of [
      await page.send('POST', targets, { body: { scope_id: 'p_1234567890', type: 'ssh', name: made.name } }),
      await patch((await create()).id, '1', { name: made.name }),
    ]) {
      expect(answer.json).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: 'name' }] });
    }
  });

  test("the controller's refusals are shown beside their fields", async () => {
    const missing = await page.send('POST', targets, {
      body: { scope_id: 'p_1234567890', type: 'tcp', name: 'without a port' },
    });
    expect(missing.json).toMatchObject({ status: 400, fields: [{ path: 'attributes.default_port' }] });
    const filter = await page.send(
      'GET',
      `${targets}?scope_id=p_1234567890&filter=${encodeURIComponent('"/item/name" ==')}`,
    );
    expect(filter.json).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: 'filter' }] });
    const token = await page.send('GET', `${targets}?scope_id=p_1234567890&page_token=nonsense`);
    expect(token.json).toMatchObject({ status: 400, code: 'invalid-request' });
  });

  test('changes by a reader are refused', async () => {
    const reader = await embedded.signedIn('read-only');
    const made = await create();
    expect((await patch(made.id, '1', { name: 'x' }, reader)).json).toMatchObject({
      status: 403,
      code: 'forbidden',
    });
    expect((await reader.send('GET', `${targets}/${made.id}`)).json['authorized_actions']).toEqual([
      'no-op',
      'read',
    ]);
  });

  test('IDs that mean another path reach nothing', async () => {
    for (const id of ['%2e%2e', '..%2fscopes', 'a%2fb', 'a%5cb', '%00']) {
      const answer = await page.send('GET', `${targets}/${id}`);
      expect([400, 404]).toContain(answer.status);
    }
  });

  test('requests without a change and invalid revisions are refused', async () => {
    const made = await create();
    for (const body of [{}, { attributes: {} }])
      expect((await patch(made.id, '1', body)).json).toMatchObject({ status: 400 });
    for (const revision of ['0', 'x', '01', '-1']) {
      expect((await patch(made.id, revision, { name: 'x' })).json).toMatchObject({ status: 400 });
    }
  });

  test('scopes are listed, the global one first, each with the allowed actions', async () => {
    const { json } = await page.send('GET', '/api/environments/test/access/scopes');
    const items = json['items'] as {
      id: string;
      parent_scope_id: string;
      authorized_collection_actions: Record<string, string[]>;
    }[];
    expect(items.map(({ id }) => id)).toEqual(['global', 'o_1234567890', 'p_1234567890']);
    expect(items[2]).toMatchObject({ type: 'project', parent_scope_id: 'o_1234567890' });
    expect(items[2]?.authorized_collection_actions['targets']).toContain('create');
  });
});

describe('two operators', () => {
  test('a stale write is a conflict that shows the current record, and changes nothing', async () => {
    const made = await create();
    const other = await embedded.signedIn('operator');
    const theirs = await patch(made.id, '1', { description: 'theirs' }, other);
    const mine = await patch(made.id, '1', { description: 'mine' });
    expect(mine.json).toMatchObject({
      status: 409,
      code: 'conflict',
      conflict: {
        resource: { environment: 'test', service: 'access', kind: 'target', id: made.id },
        reason: 'modified',
        expectedRevision: '1',
        currentRevision: '2',
        base: null,
        current: { description: 'theirs', revision: '2' },
      },
    });
    const { changedAt, changedBy } = mine.json['conflict'] as { changedAt: string; changedBy: string };
    expect(changedAt).toBe(theirs.json['updated_time']);
    // The controller doesn't say who changed the record, but the audit trail does.
    const whoIsIt = await other.send('GET', '/api/session/current');
    expect(changedBy).toBe((whoIsIt.json['session'] as { person: { name: string } }).person.name);
    expect(mine.json).toMatchObject({ conflict: { isYours: false } });
    expect((await patch(made.id, '1', { description: 'mine' }, other)).json).toMatchObject({
      conflict: { changedBy, isYours: true },
    });
    expect((await get(made.id)).json).toMatchObject({ description: 'theirs', revision: '2' });
    expect((await page.send('DELETE', `${targets}/${made.id}`, { revision: '1' })).json).toMatchObject({
      status: 409,
      conflict: { reason: 'modified' },
    });
    await other.send('DELETE', `${targets}/${made.id}`, { revision: '2' });
    expect((await patch(made.id, '2', { description: 'mine' })).json).toMatchObject({
      status: 409,
      conflict: { reason: 'deleted', current: null, currentRevision: null, changedBy },
    });
  });

  test('a change made outside the console has an unknown author', async () => {
    const made = await create();
    const other = await embedded.signedIn('operator');
    await patch(made.id, '1', { description: 'theirs' }, other);
    const script = await embedded.controller.as('administrator');
    await script.patch(`/v1/targets/${made.id}`, { version: 2, description: 'by a script' });
    expect((await patch(made.id, '1', { description: 'mine' })).json).toMatchObject({
      conflict: { reason: 'modified', currentRevision: '3', changedBy: null },
    });
  });

  test('nothing is lost in any interleaving', async () => {
    const other = await embedded.signedIn('operator');
    const field = fc.constantFrom('name', 'description', 'session_max_seconds', 'address');
    const edit = fc.record({ field, value: fc.nat(9) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ by: fc.nat(1), edit }), { minLength: 2, maxLength: 6 }),
        fc.array(fc.nat(1), { maxLength: 6 }),
        async (writes, reads) => {
          const made = await create();
          const seen = ['1', '1'];
          const history: { field: string; value: unknown }[] = [];
          for (const [
            step,
            {
              by,
              edit: { field: name, value },
            },
          ] of writes.entries()) {
            const reader = reads[step];
            if (reader !== undefined) seen[reader] = String((await get(made.id)).json['revision']);
            const content =
              name === 'session_max_seconds'
                ? 100 + step
                : name === 'address'
                  ? `host-${step}.example`
                  : `${made.name} ${name} ${step} ${value}`;
            const answer = await patch(made.id, seen[by] ?? '', { [name]: content }, by === 0 ? page : other);
            if (answer.status === 200) {
              history.push({ field: name, value: content });
              seen[by] = String(answer.json['revision']);
            } else {
              const conflict = answer.json['conflict'] as {
                reason: string;
                currentRevision: string;
                current: Record<string, unknown>;
              };
              expect(conflict.reason).toBe('modified');
              for (const { field: written, value: kept } of lastOfEach(history))
                expect(conflict.current[written]).toBe(kept);
            }
          }
          const { json } = await get(made.id);
          expect(json['revision']).toBe(String(1 + history.length));
          for (const { field: written, value } of lastOfEach(history)) expect(json[written]).toBe(value);
        },
      ),
      { numRuns: process.env['GATEHOUSE_DEEP'] === '1' ? 500 : 25 },
    );
  });

  test('of twenty writes at one revision, one wins and the others get the stored record', async () => {
    const made = await create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => patch(made.id, '1', { description: `writer ${n}` })),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status !== 200) {
        expect(answer.json).toMatchObject({
          code: 'conflict',
          conflict: { current: { description: won[0]?.json['description'] } },
        });
      }
    }
  });
});

function lastOfEach(
  history: readonly { field: string; value: unknown }[],
): { field: string; value: unknown }[] {
  return [...new Map(history.map((entry) => [entry.field, entry])).values()];
}

describe('a controller that becomes unavailable', () => {
  test('is reported on its screens, keeps the session, and is used again once it responds', async () => {
    const made = await create();
    expect((await page.send('GET', '/healthz')).status).toBe(200);
    await embedded.stopController();
    embedded.console.clock.advance(3_000);
    expect((await get(made.id)).json).toMatchObject({
      status: 503,
      code: 'service-unavailable',
      service: 'access',
      environment: 'test',
    });
    expect((await patch(made.id, '1', { name: 'x' })).json).toMatchObject({ code: 'service-unavailable' });
    expect((await page.send('GET', '/api/session')).status).toBe(200);
    expect((await page.send('GET', '/api/connections')).json['connections']).toMatchObject([
      { state: 'unreachable', address: 'embedded' },
    ]);
    expect((await page.send('GET', '/healthz')).status).toBe(503);
    const visitor = embedded.console.browser();
    const credentials = { method: 'password', login_name: 'admin', password: 'x' };
    expect(
      (
        await visitor.send('POST', '/api/session', {
          body: { environment: 'test', service: 'access', credentials },
        })
      ).json,
    ).toMatchObject({
      code: 'service-unavailable',
    });
    await embedded.startController();
    embedded.console.clock.advance(3_000);
    expect((await get(made.id)).status).toBe(200);
    expect((await page.send('GET', '/api/connections')).json['connections']).toMatchObject([
      { state: 'connected', version: embedded.controller.service.version, detail: null },
    ]);
    expect((await page.send('GET', '/healthz')).status).toBe(200);
  });
});
