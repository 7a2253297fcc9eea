import { testPassword } from '@gatehouse/access-controller/testing/controller';
import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import { decisionsText } from '@gatehouse/api-types/console/decisions';
import { endpoints, type Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { ResponseOf } from '@gatehouse/api-types/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Browser } from '#test/browser.ts';
import { startEmbedded, type EmbeddedConsole } from '#test/embedded.ts';
import { startPostgres } from '#test/postgres.ts';

const activity = '/api/environments/test/activity';
const access = '/api/environments/test/access';
const postgres = await startPostgres();
afterAll(() => postgres?.close());

let embedded: EmbeddedConsole;
let admin: Browser;
let operator: Browser;
let count = 0;

type Listed = ResponseOf<Endpoints['activity']['list']>;
async function list(by = admin, query: Record<string, string> = {}): Promise<Listed> {
  const answer = await by.send('GET', `${activity}?${new URLSearchParams(query).toString()}`);
  expect(answer.status, answer.text).toBe(200);
  return z.parse(endpoints.activity.list.response, answer.json);
}
async function create(by = admin): Promise<{ id: string; name: string }> {
  const answer = await by.send('POST', `${access}/targets`, {
    body: { scope_id: 'p_1234567890', type: 'ssh', name: `target ${++count}` },
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as { id: string; name: string };
}

describe.each(postgres === undefined ? ['SQLite'] : ['SQLite', 'PostgreSQL'])('on %s', (kind) => {
  beforeAll(async () => {
    const databaseUrl = kind === 'PostgreSQL' ? await postgres?.database() : undefined;
    embedded = await startEmbedded(databaseUrl === undefined ? {} : { databaseUrl });
    admin = await embedded.signedIn();
    operator = await embedded.signedIn('operator');
  });
  afterAll(() => embedded.close());

  describe('an entry', () => {
    test('records who did what to what, by paths, with names and revisions', async () => {
      const made = await create();
      const sent = await admin.send('PATCH', `${access}/targets/${made.id}`, {
        revision: '1',
        body: { description: 'canary', attributes: { default_port: 4711 } },
        headers: {
          'x-gatehouse-decisions': decisionsText([{ path: '/description', choice: 'mine' }]) ?? '',
        },
      });
      const { items } = await list(admin, { resource_id: made.id });
      expect(items.map(({ action }) => action)).toEqual(['target.update', 'target.create']);
      const [update, creation] = items;
      expect(update).toMatchObject({
        environment: 'test',
        service: 'access',
        person: { id: expect.stringMatching(/^test\/access\/u_/), login_name: 'admin' },
        address: '127.0.0.1',
        resource: { kind: 'target', id: made.id, name: made.name },
        paths: ['description', 'attributes.default_port'],
        decisions: [{ path: '/description', choice: 'mine' }],
        revision_before: '1',
        revision_after: '2',
        outcome: 'succeeded',
        problem: null,
        request_id: sent.headers['x-request-id'],
        can_settle: false,
      });
      expect(creation).toMatchObject({
        revision_before: null,
        revision_after: '1',
        paths: ['scope_id', 'type', 'name'],
      });
      expect(JSON.stringify(items)).not.toContain('canary');
      const one = await admin.send('GET', `${activity}/${update?.sequence}`);
      expect(one.json).toEqual({
        ...update,
        values: [
          { path: 'description', before: '', after: 'canary' },
          { path: 'attributes.default_port', before: '22', after: '4711' },
        ],
      });
      expect((await admin.send('GET', `${activity}/${creation?.sequence}`)).json['values']).toBeNull();
    });

    test('covers a conflict, a denial and a deletion', async () => {
      const made = await create();
      await admin.send('PATCH', `${access}/targets/${made.id}`, {
        revision: '7',
        body: { description: 'x' },
      });
      const reader = await embedded.signedIn('read-only');
      await reader.send('PATCH', `${access}/targets/${made.id}`, {
        revision: '1',
        body: { description: 'x' },
      });
      await admin.send('DELETE', `${access}/targets/${made.id}`, { revision: '1' });
      const { items } = await list(admin, { resource_id: made.id });
      expect(items.slice(0, 3)).toMatchObject([
        { action: 'target.delete', outcome: 'succeeded', resource: { name: made.name } },
        {
          action: 'target.update',
          outcome: 'refused',
          problem: 'forbidden',
          person: { login_name: 'read-only' },
        },
        { action: 'target.update', outcome: 'refused', problem: 'conflict', resource: { name: made.name } },
      ]);
    });

    test('of a sign-in names the user once known, and the given login name if it failed', async () => {
      const visitor = embedded.console.browser();
      const attempt = (password: string) =>
        visitor.send('POST', '/api/session', {
          body: {
            environment: 'test',
            service: 'access',
            credentials: { method: 'password', login_name: 'operator', password },
          },
        });
      await attempt('canary-password');
      await attempt(testPassword);
      const { items } = await list(admin, { action: 'console-session.sign-in' });
      expect(items.slice(0, 2)).toMatchObject([
        {
          outcome: 'succeeded',
          person: { id: expect.stringMatching(/u_/), login_name: 'operator' },
          resource: { kind: 'console-session', id: expect.stringMatching(/./), name: 'operator' },
        },
        { outcome: 'refused', problem: 'sign-in-failed', person: { id: '', login_name: 'operator' } },
      ]);
      expect(JSON.stringify(items)).not.toContain('canary');
    });

    test("isn't recorded for attempts that come too early", async () => {
      const visitor = embedded.console.browser();
      const attempt = () =>
        visitor.send('POST', '/api/session', {
          body: {
            environment: 'test',
            service: 'access',
            credentials: { method: 'password', login_name: 'nobody', password: 'x' },
          },
        });
      for (let n = 0; n < 5; n++) await attempt();
      const before = (await list(admin, { action: 'console-session.sign-in' })).items[0]?.sequence;
      for (let n = 0; n < 5; n++) expect((await attempt()).json).toMatchObject({ code: 'rate-limited' });
      expect((await list(admin, { action: 'console-session.sign-in' })).items[0]?.sequence).toBe(before);
    });

    test('is recorded once a minute for denied reads', async () => {
      const made = await create();
      const session = await admin.send('POST', `${access}/targets/ttcp_1234567890/authorize-session`, {
        body: {},
      });
      const path = `${access}/sessions/${String(session.json['session_id'])}`;
      for (let n = 0; n < 3; n++) expect((await operator.send('GET', path)).status).toBe(403);
      const denied = { action: 'request.read', resource_id: path };
      expect((await list(admin, denied)).items).toMatchObject([
        {
          outcome: 'refused',
          problem: 'forbidden',
          person: { login_name: 'operator' },
          paths: [],
          can_settle: false,
        },
      ]);
      embedded.console.clock.advance(60_000);
      await operator.send('GET', path);
      expect((await list(admin, denied)).items).toHaveLength(2);
      expect(made.id).toMatch(/^tssh_/);
    });

    test('of an authorized session names the target and never contains credentials', async () => {
      const answer = await operator.send('POST', `${access}/targets/ttcp_1234567890/authorize-session`, {
        body: {},
      });
      const { items } = await list(operator, { action: 'target.authorize-session' });
      expect(items[0]).toMatchObject({
        outcome: 'succeeded',
        resource: { kind: 'target', id: 'ttcp_1234567890' },
      });
      expect(items[0]?.resource.name).not.toBe('');
      expect(JSON.stringify(items)).not.toContain(String(answer.json['authorization_token']));
    });

    test('of a canceled session, or a sign-out, names whose it was', async () => {
      const person = await embedded.signedIn('operator');
      const made = await person.send('POST', `${access}/targets/ttcp_1234567890/authorize-session`, {
        body: {},
      });
      const id = String(made.json['session_id']);
      await person.send('POST', `${access}/sessions/${id}/cancel`, { revision: '1' });
      await person.send('DELETE', '/api/session');
      const [canceled] = (await list(admin, { resource_id: id, action: 'session.cancel' })).items;
      const target = await admin.send('GET', `${access}/targets/ttcp_1234567890`);
      expect(canceled).toMatchObject({ outcome: 'succeeded', resource: { id, name: target.json['name'] } });
      const [out] = (await list(admin, { action: 'console-session.sign-out' })).items;
      expect(out?.resource).toMatchObject({ kind: 'console-session', name: out?.person.name || 'operator' });
    });

    test('invalid decisions refuse the request', async () => {
      const made = await create();
      for (const header of [
        'x',
        '{}',
        '[{"path":"/a"}]',
        '[{"path":"/a","choice":"yes"}]',
        `[${' '.repeat(9000)}]`,
      ]) {
        const answer = await admin.send('DELETE', `${access}/targets/${made.id}`, {
          revision: '1',
          headers: { 'x-gatehouse-decisions': header },
        });
        expect(answer.json).toMatchObject({ status: 400, code: 'invalid-request' });
      }
    });
  });

  describe('the trail', () => {
    test('shows users their own entries, and administrators all', async () => {
      await create(admin);
      await create(operator);
      const own = await list(operator);
      expect(own.sees).toBe('own');
      expect(new Set(own.items.map(({ person }) => person.login_name))).toEqual(new Set(['operator']));
      expect(own.items.map(({ action }) => action)).toContain('console-session.sign-in');
      const all = await list(admin);
      expect(all.sees).toBe('all');
      expect(new Set(all.items.map(({ person }) => person.login_name)).size).toBeGreaterThan(1);
      const mine = await list(admin, { mine: 'true' });
      expect(mine.sees).toBe('all');
      expect(new Set(mine.items.map(({ person }) => person.id))).toEqual(
        new Set([mine.items.find(({ action }) => action === 'target.create')?.person.id]),
      );
      expect(mine.items[0]?.person.login_name).toBe('admin');
      const others = all.items.find(({ person }) => person.login_name === 'admin');
      expect((await operator.send('GET', `${activity}/${others?.sequence}`)).json).toMatchObject({
        code: 'not-found',
      });
      expect((await operator.send('GET', `/api/environments/test/activity-verification`)).json).toMatchObject(
        {
          code: 'forbidden',
        },
      );
      for (const path of [activity, `${activity}-export`, `${activity}-verification`, `${activity}/1`]) {
        const answer = await operator.send('GET', path.replace('/test/', '/other/'));
        expect(answer.json).toMatchObject({ status: 404 });
      }
    });

    const accountOf = (entry?: Pick<ActivityEntry, 'person'>) => entry?.person.id.split('/').at(-1) ?? '';

    test('is filtered, and paged without gaps', async () => {
      for (let n = 0; n < 5; n++) await create(operator);
      const seen: number[] = [];
      let token: string | undefined;
      do {
        const page = await list(admin, {
          person: 'OPERATOR',
          action: 'target.create',
          page_size: '2',
          ...(token !== undefined && { page_token: token }),
        });
        seen.push(...page.items.map(({ sequence }) => sequence));
        expect(page.items.every(({ person }) => person.login_name === 'operator')).toBe(true);
        token = page.next_page_token;
      } while (token !== undefined);
      expect(seen.length).toBeGreaterThanOrEqual(5);
      expect(seen).toEqual(seen.toSorted((a, b) => b - a));
      expect(new Set(seen).size).toBe(seen.length);

      const all = (await list(admin, { page_size: '500' })).items;
      const beyond = await list(admin, { page_size: '500', page_token: '999999999999999' });
      expect(beyond.items).toEqual(all);
      const narrowed: [Record<string, string>, (entry: ActivityEntry) => boolean][] = [
        [{ kind: 'target' }, ({ resource }) => resource.kind === 'target'],
        [{ outcome: 'refused' }, ({ outcome }) => outcome === 'refused'],
        [
          { action: 'target.delete,console-session.sign-in' },
          ({ action }) => ['target.delete', 'console-session.sign-in'].includes(action),
        ],
        [{ problem: 'forbidden' }, ({ problem }) => problem === 'forbidden'],
        [{ problem: 'conflict' }, ({ problem }) => problem === 'conflict'],
        [{ service: 'console' }, ({ service }) => service === null],
        [{ service: 'access' }, ({ service }) => service === 'access'],
        [{ person: '%' }, () => false],
        [{ person: accountOf(all[0]) }, ({ person }) => accountOf({ person }) === accountOf(all[0])],
        [{ request_id: all[0]?.request_id ?? '' }, ({ request_id }) => request_id === all[0]?.request_id],
        [{ from: all[3]?.time ?? '' }, ({ time }) => time >= (all[3]?.time ?? '')],
        [{ to: all[3]?.time ?? '' }, ({ time }) => time < (all[3]?.time ?? '')],
      ];
      for (const [query, matches] of narrowed) {
        const { items } = await list(admin, { ...query, page_size: '500' });
        expect(items, JSON.stringify(query)).toEqual(all.filter(matches));
      }
      for (const query of [
        'outcome=done',
        'page_size=0',
        'page_token=x',
        'from=yesterday',
        'problem=bad',
        'surprise=1',
      ]) {
        expect((await admin.send('GET', `${activity}?${query}`)).status, query).toBe(400);
      }
    });

    test('is exported as lines, oldest first, with the same entries as the list', async () => {
      const answer = await admin.send('GET', `${activity}-export?kind=target`);
      expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      const lines = answer.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as ActivityEntry);
      const { items } = await list(admin, { kind: 'target', page_size: '500' });
      expect(lines).toEqual(items.toReversed());
      const own = await operator.send('GET', `${activity}-export`);
      expect(own.text).not.toContain('"login_name":"admin"');
      expect((await admin.send('GET', `${activity}-export?kind=nothing`)).text).toBe('');
    });

    test('records who exported how much before handing it out', async () => {
      const answer = await operator.send(
        'GET',
        `${activity}-export?kind=target&from=2020-01-01T00%3A00%3A00Z`,
      );
      const lines = answer.text.trimEnd().split('\n');
      const { items } = await list(admin, { action: 'activity.export' });
      expect(items[0]).toMatchObject({
        person: { login_name: 'operator' },
        resource: { kind: 'activity', id: '', name: `${lines.length} entries` },
        paths: ['kind=target', 'from=2020-01-01T00:00:00Z'],
        outcome: 'succeeded',
        request_id: answer.headers['x-request-id'],
      });
      expect(lines.length).toBeGreaterThan(1);
      await admin.send('GET', `${activity}-export?request_id=${String(answer.headers['x-request-id'])}`);
      expect((await list(admin, { action: 'activity.export' })).items[0]?.resource.name).toBe('1 entry');
      await admin.send('GET', `${activity}-export?kind=nothing`);
      expect((await list(admin, { action: 'activity.export' })).items[0]?.resource.name).toBe('0 entries');
    });

    test("is verified by administrators, and reading it doesn't change it", async () => {
      const verify = async () =>
        (await admin.send('GET', '/api/environments/test/activity-verification')).json;
      const first = await verify();
      expect(first).toMatchObject({
        intact: true,
        faults: [],
        head: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      });
      expect(await verify()).toEqual(first);
    });

    test('a known outcome stays as it is when it is settled again', async () => {
      await create();
      const [entry] = (await list()).items;
      const answer = await admin.send('POST', `${activity}/${entry?.sequence}/settle`);
      expect(answer.json).toEqual(entry);
      for (const sequence of ['0', 'x', '999999']) {
        expect((await admin.send('POST', `${activity}/${sequence}/settle`)).json).toMatchObject({
          status: 404,
        });
      }
    });
  });
});
