import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { testPassword } from '@gatehouse/box-registry/testing/server';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openSqlite } from '#store/sqlite.ts';
import { json, startAnswering } from '#test/answering-server.ts';
import { startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser } from '#test/browser.ts';
import { act, moveIn, moveOnce, movesApi, planned } from '#test/moves.ts';

let source: Awaited<ReturnType<typeof startAnswering>>;
let here: BoxesConsole;
let page: Browser;

beforeAll(async () => {
  source = await startAnswering();
  here = await startBoxes({ moves: { sources: [source.url] }, bff: { retryDelaysMs: [10] } });
  page = await here.signedIn();
});
afterAll(async () => {
  await here[Symbol.asyncDispose]();
  await source[Symbol.asyncDispose]();
});

const change = async (statement: ReturnType<typeof sql>): Promise<void> => {
  const database = openSqlite(join(here.console.dataDir, 'console.db'));
  await database.run(statement.compile(database.build));
  await database.close();
};

test('adds no more boxes to a move than it can have, and says which', async () => {
  let owned: string[] = [];
  const answer: RequestListener = (req, res) => {
    const owner = /^\/api\/v2\/user\/([^/?]+)/.exec(req.url ?? '')?.[1];
    if (owner !== undefined)
      json(res, { username: owner, boxes: owned.map((name) => ({ username: owner, name })) });
    else if (req.url?.startsWith('/api/v2/box/') === true) json(res, { name: 'box', versions: [] });
    else res.writeHead(404).end();
  };
  source.answer = answer;
  const wanted = ['admin/single', 'many', 'more'];
  const { id, items } = await planned(page, source, wanted);
  expect(items.total).toBe(1);
  await change(
    sql`insert into move_item (id, move_id, name, owner, name_here, chosen, is_here, short_description, description,
        source_url, pass, usable, clashes, refused)
      with recursive n(at) as (select 2 union all select at + 1 from n where at < 9999)
      select 'i' || at, ${id}, 'admin/' || at, 'admin', 'admin/' || at, 1, 0, '', '', '', 99, 0, '[]', '' from n`,
  );
  owned = ['a', 'b'];
  source.seen.length = 0;
  moveIn(await act(page, id, 'compare', { token: '' }));
  const full = await moveOnce(page, id, ['planned', 'paused']);
  expect(full).toMatchObject({ state: 'planned', items: { total: 9_999 } });
  const failed = full.log.filter((line) => line.failed).map(({ text }) => text);
  expect(failed.filter((text) => text.includes('10,000')).map((text) => text.split(':')[0])).toEqual([
    'more',
    'many',
  ]);
  // Once an owner didn't fit, the source lists no other. What is in the move is read again.
  const paths = source.seen.map(({ url }) => url ?? '');
  expect(paths).toContain('/api/v2/user/many');
  expect(paths).toContain('/api/v2/box/admin/single');
  expect(paths).not.toContain('/api/v2/user/more');
  owned = ['a'];
  moveIn(await act(page, id, 'compare', { token: '' }));
  expect(await moveOnce(page, id, ['planned', 'paused'])).toMatchObject({ items: { total: 10_000 } });
});

/** A planned move of one box with two versions, whose choice of the newer one was stored and not applied. */
const halfChosen = async (name: string) => {
  const image = { name: 'virtualbox', hosted: false, original_url: 'https://images.example/a.box' };
  source.answer = (_req, res) =>
    json(res, {
      name: 'box',
      versions: ['2.0.0', '1.0.0'].map((version) => ({ version, status: 'active', providers: [image] })),
    });
  const { id, choice, versions, revision } = await planned(page, source, [`admin/${name}`]);
  expect(versions).toBe(2);
  const half = { ...choice, versions: { kind: 'since' as const, version: '2.0.0' } };
  await change(sql`update move_text set choice = ${JSON.stringify(half)} where move_id = ${id}`);
  await change(sql`update move set unapplied = 1, revision = revision + 1 where id = ${id}`);
  return { id, half, revision };
};

test('applies a choice that was stored only, when it is sent again', async () => {
  const { id, half, revision } = await halfChosen('again');
  const sent = await page.send('PUT', `${movesApi}/${id}/choice`, { revision, body: half });
  expect(moveIn(sent)).toMatchObject({ versions: 1, pieces: { missing: 1, 'left-out': 1 } });
});

test.each(['start', 'resume', 'retry'])('applies a choice that was stored only, before %s', async (what) => {
  const { id } = await halfChosen(what);
  if (what === 'resume')
    await change(
      sql`update move set state = 'paused', pause_reason = 'person', pause_while = 'copying' where id = ${id}`,
    );
  if (what === 'retry') await change(sql`update move set state = 'done' where id = ${id}`);
  moveIn(await act(page, id, what, { token: '', ...(what === 'retry' && { item: null }) }));
  const done = await moveOnce(page, id, ['done']);
  expect(done).toMatchObject({ versions: 1, pieces: { linked: 1, 'left-out': 1 } });
});

test('refuses a choice of more names than one statement takes', async () => {
  const { id, choice, revision } = await planned(page, source, ['admin/names']);
  for (const part of ['providers', 'architectures']) {
    const body = { ...choice, [part]: Array.from({ length: 1_001 }, (_, at) => `name${at}`) };
    const refused = await page.send('PUT', `${movesApi}/${id}/choice`, { revision, body });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('1000')]);
  }
});

test('reads no move that waits for its turn', async () => {
  source.answer = () => undefined;
  const ids: string[] = [];
  for (let count = 0; count < 6; count++) {
    const body = { kind: 'boxes', address: source.url, token: '', wanted: [`admin/waiting-${count}`] };
    ids.push(moveIn(await page.send('POST', movesApi, { body })).id);
  }
  await expect.poll(() => source.seen.filter(({ url }) => url?.includes('waiting')).length).toBe(2);
  const read = vi.spyOn(StatementSync.prototype, 'get');
  await here.console.bff.upkeep();
  const statements = read.mock.contexts.filter((one) => one instanceof StatementSync);
  read.mockRestore();
  const ofMoves = statements.filter(({ sourceSQL }) => /^select .* from "move(_text)?" /.test(sourceSQL));
  expect(ofMoves).toEqual([]);
  for (const id of ids.toReversed()) moveIn(await act(page, id, 'abandon'));
});

test('runs a move for each account that has none, and lets accounts take turns', async () => {
  const held = new Map<string, () => void>();
  source.answer = (req, res) =>
    void held.set(req.url?.split('/').slice(-1)[0] ?? '', () => json(res, { name: 'box', versions: [] }));
  const pages = new Map<string, Browser>();
  const ids: (readonly [Browser, string])[] = [];
  const create = async (person: string, box: string): Promise<void> => {
    const at = pages.get(person) ?? (await here.signedIn(person));
    pages.set(person, at);
    here.server.clock.advance(1);
    const body = { kind: 'boxes', address: source.url, token: '', wanted: [`admin/${box}`] };
    ids.push([at, moveIn(await at.send('POST', movesApi, { body })).id]);
  };
  const people = ['one', 'two', 'three', 'four'];
  for (const person of [...people, 'five'])
    await here.server.accounts.create({
      loginName: person,
      password: testPassword,
      roles: { boxes: 'operator' },
    });
  for (const person of people) for (const box of ['a', 'b']) await create(person, `${person}-${box}`);
  for (const person of people.toReversed()) await create(person, `${person}-c`);
  await create('five', 'five-a');
  const first = [...people.flatMap((person) => [`${person}-a`, `${person}-b`]), 'five-a'];
  await expect.poll(() => [...held.keys()].toSorted()).toEqual(first.toSorted());
  // The oldest waiting move is of the account that had a turn last.
  for (const box of ['four-a', 'one-a']) {
    held.get(box)?.();
    held.delete(box);
    const [at, id] = ids[first.indexOf(box)] ?? [page, ''];
    await moveOnce(at, id, ['planned']);
  }
  await expect
    .poll(() => [...held.keys()].toSorted())
    .toEqual([...first, 'one-c'].filter((box) => box !== 'four-a' && box !== 'one-a').toSorted());
  source.answer = (_req, res) => json(res, { name: 'box', versions: [] });
  for (const answer of held.values()) answer();
  for (const [at, id] of ids) await moveOnce(at, id, ['planned']);
});

test.each([
  ['50 boxes', Array.from({ length: 50 }, (_, index) => `admin/box-${index}`)],
  ["an owner's boxes in endless pages", ['admin']],
])('pauses a plan of %s if its owner may no longer publish here', async (_, wanted) => {
  const { accounts, clock } = here.server;
  const roles = { boxes: 'operator' } as const;
  const { id: account, version } = await accounts.create({
    loginName: `leaving-${wanted.length}`,
    password: testPassword,
    roles,
  });
  const at = await here.signedIn(`leaving-${wanted.length}`);
  let boxes = 0;
  source.answer = ({ url = '' }, res) => {
    if (/^\/api\/v\d\/user\//.test(url)) return void res.writeHead(404).end();
    boxes += 1;
    const found = [{ username: 'admin', name: `found-${boxes}` }];
    const answer = (): void => json(res, { name: 'box', versions: [], boxes: found });
    if (boxes !== 3) return answer();
    return void accounts.update(account, version, { roles: { boxes: 'read-only' } }).then(() => {
      clock.advance(5_000);
      answer();
    });
  };
  const body = { kind: 'boxes', address: source.url, token: '', wanted };
  const { id } = moveIn(await at.send('POST', movesApi, { body }));
  const paused = await moveOnce(at, id, ['paused', 'planned']);
  expect(paused).toMatchObject({ state: 'paused', pause: { reason: 'forbidden' } });
  // Four boxes are read at once.
  expect(boxes).toBeLessThan(10);
});
