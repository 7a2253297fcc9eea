/**
 * Searches of a module registry with many versions, one after another and from several clients at once: how long they take.
 * Beside them the same requests to Node's HTTP server that answers the same bytes, and the same words looked for in the same
 * texts by SQLite alone. The goal is 50 ms at the 99th percentile.
 *
 *     npm run bench -- modules [--modules 5000] [--requests 500] [--rounds 3] [--clients 1,4]
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { largeModules } from '@gatehouse/stack/large-modules';
import { call, openBench, options, type Server } from './harness.ts';
import { inTurns, printTimes } from './measure.ts';

const { modules, requests, rounds, clients } = options({
  modules: 5000,
  requests: 500,
  rounds: 3,
  clients: [1, 4],
});

/** Common words, rare ones, several at once, an absent one, and later pages. */
const queries = [
  'q=vpc',
  'q=backups&limit=100',
  'q=number+4321',
  'q=team-07+queue',
  'q=no-such-module',
  'q=aws&offset=1500',
  'q=cluster&provider=google&verified=true',
  'q=subnets&deprecated=false',
];
const queryOf = (index: number): string => queries[index % queries.length] ?? '';

await using bench = await openBench();
const registry = await bench.start('bench/module-server.ts', '/health', {
  args: [String(modules)],
  env: () => ({ GATEHOUSE_DATA: join(bench.folder, 'modules') }),
});
const search = (at: Server) => (index: number) => call(at, 'GET', `/v1/modules/search?${queryOf(index)}`);
const bare = await bench.bare(JSON.stringify(await search(registry)(1)));
const look = searchOfTexts();

for (const connections of clients) {
  const rows = [
    { name: 'bare HTTP server', run: () => timesOf(connections, search(bare)) },
    { name: 'SQLite alone', run: () => timesOf(1, (index) => Promise.resolve(look(queryOf(index)))) },
    { name: 'module registry', run: () => timesOf(connections, search(registry)) },
  ];
  const versions = (modules * 10).toLocaleString('en-US');
  printTimes(
    `Search over ${versions} versions, ${connections} at once, ${rounds} × ${requests}`,
    await inTurns(rows, rounds),
  );
}

/** Milliseconds of each of some concurrent requests. */
async function timesOf(connections: number, run: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < requests) {
        const started = performance.now();
        await run(next++);
        times.push(performance.now() - started);
      }
    }),
  );
  return times;
}

/** Searches the words of a query in the text of each module, in the plainest way. */
function searchOfTexts(): (query: string) => unknown {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE text (id INTEGER PRIMARY KEY, words TEXT NOT NULL)');
  const insert = db.prepare('INSERT INTO text (words) VALUES (?)');
  for (const { namespace, name, provider, description } of largeModules(modules))
    insert.run(`${namespace}/${name}/${provider} ${description}`.toLowerCase());
  return (query) => {
    const words = new URLSearchParams(query).get('q')?.split(' ') ?? [];
    const where = words.map(() => 'words LIKE ?').join(' AND ');
    const found = db.prepare(`SELECT id FROM text WHERE ${where} ORDER BY id LIMIT 100`);
    return found.all(...words.map((one) => `%${one}%`));
  };
}
