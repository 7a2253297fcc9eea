import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqlite } from '#store/sqlite.ts';
import { json, startAnswering } from '#test/answering-server.ts';
import { startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser } from '#test/browser.ts';
import { act, moveIn, moveOnce, planned } from '#test/moves.ts';

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
