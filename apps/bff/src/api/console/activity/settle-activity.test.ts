import { DatabaseSync } from 'node:sqlite';
import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import { temporaryFolder, type TemporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  boundaryController,
  boundaryPassword,
  boundaryTarget,
  type BoundaryController,
} from '#test/boundary-controller.ts';
import { browser, type Browser, type BrowserRequest } from '#test/browser.ts';
import { configurationFor, startConsoleProcess, type ConsoleProcess } from '#test/console-process.ts';
import { signInAs, startConsole, type TestConsole } from '#test/console.ts';

const targets = '/api/environments/test/access/targets';
const activity = '/api/environments/test/activity';
const id = 'ttcp_0000000001';

let controller: BoundaryController;
beforeEach(async () => {
  controller = await boundaryController();
  controller.targets.set(id, boundaryTarget(id, { name: 'db', version: 3 }));
});
afterEach(() => controller.close());

async function unknowns(by: Browser): Promise<ActivityEntry[]> {
  const { json } = await by.send('GET', `${activity}?outcome=unknown`);
  const items = json['items'] as ActivityEntry[];
  expect(json['unknown_count']).toBe(items.length);
  return items;
}
const settle = (by: Browser, { sequence }: Pick<ActivityEntry, 'sequence'>, said?: string) =>
  by.send('POST', `${activity}/${sequence}/settle`, { ...(said !== undefined && { body: { said } }) });

describe('a service with lost answers to a change and to reads', () => {
  let console: TestConsole;
  let page: Browser;
  beforeEach(async () => {
    console = await startConsole({ access: { kind: 'url', url: new URL(controller.url) } });
    page = console.browser();
    await signInAs(page, 'admin', boundaryPassword);
  });
  afterEach(() => console.close());

  /** Sends a change whose answer is lost. @param done whether the service makes the change before it goes silent */
  async function lose(
    method: string,
    path: string,
    request: BrowserRequest,
    done: boolean,
  ): Promise<ActivityEntry> {
    let silent = false;
    controller.intercept = ({ method: sent }, res) => {
      if (sent !== 'GET' && !done) silent = true;
      if (silent) res.destroy();
      return silent;
    };
    controller.afterWrite = (_req, res) => {
      silent = true;
      res.destroy();
      return true;
    };
    const answer = await page.send(method, path, request);
    expect(answer.json, answer.text).toMatchObject({ code: 'outcome-unknown' });
    controller.intercept = undefined;
    controller.afterWrite = undefined;
    const [entry] = await unknowns(page);
    if (entry === undefined) throw new Error('the change is not listed as unknown');
    expect(entry).toMatchObject({ outcome: 'unknown', problem: 'outcome-unknown', can_settle: true });
    return entry;
  }
  const settled = async (entry: ActivityEntry): Promise<Record<string, unknown>> => {
    const writes = () => controller.seen.filter(({ method }) => method !== 'GET').length;
    const before = writes();
    const { json } = await settle(page, entry);
    expect(writes(), 'nothing is repeated').toBe(before);
    return json;
  };
  const update = (done: boolean) =>
    lose('PATCH', `${targets}/${id}`, { revision: '3', body: { description: 'mine' } }, done);
  const byOthers = (fields: object, version: number) =>
    controller.targets.set(id, { ...boundaryTarget(id, { name: 'db' }), ...fields, version });

  test('an update that was made', async () => {
    expect(await settled(await update(true))).toMatchObject({
      outcome: 'succeeded',
      revision_after: '4',
      can_settle: false,
      resource: { id, name: 'db' },
    });
    expect(await unknowns(page)).toEqual([]);
    const { json } = await page.send('GET', `${activity}?page_size=1`);
    expect((json['items'] as ActivityEntry[])[0]).toMatchObject({
      action: 'activity.settle',
      outcome: 'succeeded',
    });
  });

  test('an update that was not made', async () => {
    expect(await settled(await update(false))).toMatchObject({ outcome: 'failed', can_settle: false });
  });

  test('an update that lost to another one', async () => {
    const entry = await update(false);
    byOthers({ description: 'theirs' }, 4);
    expect(await settled(entry)).toMatchObject({ outcome: 'failed' });
  });

  test("an update that can't be determined any more stays open", async () => {
    const entry = await update(true);
    byOthers({ description: 'theirs' }, 6);
    expect(await settled(entry)).toMatchObject({ outcome: 'unknown', can_settle: true });
    controller.targets.delete(id);
    expect(await settled(entry)).toMatchObject({ outcome: 'unknown', can_settle: true });
    expect(await unknowns(page)).toHaveLength(1);
  });

  test("an outcome that a user says, if it can't be determined", async () => {
    const entry = await update(true);
    byOthers({ description: 'theirs' }, 6);
    expect((await settle(page, entry, 'succeeded')).json).toMatchObject({
      outcome: 'succeeded',
      problem: 'said-by=admin',
      can_settle: false,
    });
    expect(await unknowns(page)).toEqual([]);
    const { json } = await page.send('GET', `${activity}?page_size=1`);
    expect(json['items']).toMatchObject([{ action: 'activity.settle', paths: ['said=succeeded'] }]);
    expect((await settle(page, entry, 'failed')).json).toMatchObject({ outcome: 'succeeded' });
  });

  test('an outcome that a user says while the service fails', async () => {
    const entry = await update(true);
    controller.intercept = (_req, res) => {
      res.destroy();
      return true;
    };
    expect((await settle(page, entry)).status).toBe(503);
    expect((await settle(page, entry, 'failed')).json).toMatchObject({
      outcome: 'failed',
      problem: 'said-by=admin',
    });
  });

  test('an outcome that is read counts more than what a user says', async () => {
    expect((await settle(page, await update(true), 'failed')).json).toMatchObject({
      outcome: 'succeeded',
      problem: null,
    });
  });

  test('one outcome, however many users say one at the same time', async () => {
    const entry = await update(true);
    byOthers({ description: 'theirs' }, 6);
    const says = Array.from({ length: 6 }, (_, n) =>
      settle(page, entry, n % 2 === 0 ? 'succeeded' : 'failed'),
    );
    const answers = await Promise.all(says);
    expect(new Set(answers.map(({ json }) => json['hash'])).size).toBe(1);
  });

  test('a deletion that was made, and one that was not', async () => {
    const path = `${targets}/${id}`;
    expect(await settled(await lose('DELETE', path, { revision: '3' }, false))).toMatchObject({
      outcome: 'failed',
    });
    expect(await settled(await lose('DELETE', path, { revision: '3' }, true))).toMatchObject({
      outcome: 'succeeded',
      resource: { id, name: 'db' },
    });
  });

  test('a creation that was made, one that was not, and one whose name was taken before', async () => {
    const body = { scope_id: 'p_1234567890', type: 'ssh', name: 'new', description: 'mine' };
    const created = () => [...controller.targets.values()].find(({ name }) => name === 'new');
    expect(await settled(await lose('POST', targets, { body }, false))).toMatchObject({ outcome: 'failed' });
    const entry = await lose('POST', targets, { body }, true);
    const made = created();
    if (made === undefined) throw new Error('it was created');
    made.created_time = new Date(console.clock.now()).toISOString();
    expect(await settled(entry)).toMatchObject({
      outcome: 'succeeded',
      resource: { id: made.id, name: 'new' },
    });
    console.clock.advance(3_600_000);
    await signInAs(page, 'admin', boundaryPassword);
    expect(await settled(await lose('POST', targets, { body }, false))).toMatchObject({ outcome: 'failed' });
  });

  test("a service that still can't be read decides nothing", async () => {
    const entry = await update(true);
    controller.intercept = (_req, res) => {
      res.destroy();
      return true;
    };
    const { json } = await settle(page, entry);
    expect(json).toMatchObject({ status: 503, code: 'service-unavailable', service: 'access' });
    controller.intercept = undefined;
    expect(await unknowns(page)).toHaveLength(1);
    expect(await settled(entry)).toMatchObject({ outcome: 'succeeded' });
  });

  test("an outcome that can't be recorded is recorded later", async () => {
    const trail = (sql: string): void => {
      const file = new DatabaseSync(`${console.dataDir}/console.db`);
      file.exec(sql);
      file.close();
    };
    controller.afterWrite = () => {
      trail('ALTER TABLE audit RENAME TO audit_gone');
      return false;
    };
    const answer = await page.send('PATCH', `${targets}/${id}`, {
      revision: '3',
      body: { description: 'mine' },
    });
    expect(answer.json).toMatchObject({ revision: '4' });
    controller.afterWrite = undefined;
    trail('ALTER TABLE audit_gone RENAME TO audit');
    expect(await unknowns(page)).toMatchObject([{ outcome: 'unknown', resource: { id } }]);
    await console.bff.upkeep();
    expect(await unknowns(page)).toEqual([]);
    const { json } = await page.send('GET', `${activity}?resource_id=${id}`);
    expect(json['items']).toMatchObject([{ outcome: 'succeeded', revision_after: '4' }]);
  });

  test('an operation in progress is pending, and stays so when it is settled', async () => {
    const held = Promise.withResolvers<() => void>();
    controller.afterWrite = (_req, res) => {
      const body = JSON.stringify({ ...controller.targets.get(id) });
      held.resolve(() => res.writeHead(200, { 'content-type': 'application/json' }).end(body));
      return true;
    };
    const sent = page.send('PATCH', `${targets}/${id}`, { revision: '3', body: { description: 'mine' } });
    const release = await held.promise;
    expect(await unknowns(page)).toEqual([]);
    const { json } = await page.send('GET', `${activity}?outcome=pending`);
    const [entry] = json['items'] as ActivityEntry[];
    expect(entry).toMatchObject({ outcome: 'pending', can_settle: false, resource: { id } });
    expect((await settle(page, entry ?? { sequence: 0 }, 'failed')).json).toEqual(entry);
    controller.afterWrite = undefined;
    release();
    expect((await sent).status).toBe(200);
    expect(await unknowns(page)).toEqual([]);
  });
});

describe("kill -9 between the service's write and the audit trail's outcome", { timeout: 300_000 }, () => {
  let running: ConsoleProcess | undefined;
  afterEach(() => running?.kill('SIGKILL'));

  async function start(folder: TemporaryFolder): Promise<readonly [ConsoleProcess, Browser]> {
    running = startConsoleProcess(folder, configurationFor(controller.url));
    const page = browser(await running.origin());
    await signInAs(page, 'admin', boundaryPassword);
    return [running, page];
  }

  test("lists the intent as unknown, doesn't repeat it, and settles it with one read", async () => {
    using folder = temporaryFolder();
    let [console, page] = await start(folder);
    for (const when of ['before', 'after'] as const) {
      controller.targets.set(id, boundaryTarget(id, { name: 'db', version: 3 }));
      const killed = (): boolean => {
        console.kill('SIGKILL');
        return true;
      };
      if (when === 'after') controller.afterWrite = killed;
      else controller.intercept = ({ method }) => method === 'PATCH' && killed();
      await expect(
        page.send('PATCH', `${targets}/${id}`, { revision: '3', body: { description: 'mine' } }),
      ).rejects.toThrow();
      await console.ended;
      await page.close();
      controller.afterWrite = undefined;
      controller.intercept = undefined;
      const writes = controller.seen.filter(({ method }) => method === 'PATCH').length;

      [console, page] = await start(folder);
      const [entry, ...others] = await unknowns(page);
      expect(others).toEqual([]);
      expect(entry).toMatchObject({
        action: 'target.update',
        outcome: 'unknown',
        outcome_time: null,
        resource: { id },
        paths: ['description'],
        can_settle: true,
      });
      const { json } = await settle(page, entry ?? { sequence: 0 });
      expect(json).toMatchObject({ outcome: when === 'after' ? 'succeeded' : 'failed' });
      expect(controller.seen.filter(({ method }) => method === 'PATCH')).toHaveLength(writes);
      expect(await unknowns(page)).toEqual([]);
    }
    await page.close();
    console.kill('SIGKILL');
    await console.ended;
  });
});
