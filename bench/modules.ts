/**
 * Searches of a module registry with many versions, one after another and from several clients at once: how long they take at
 * the 99th percentile. Beside them the same requests to Node's HTTP server that answers the same bytes, and the same words
 * looked for in the same texts by SQLite alone. Kinds take turns, so that the machine's mood falls on all of them alike.
 *
 *     npm run bench -- modules [--modules 5000] [--requests 500] [--rounds 3] [--clients 1,4]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { largeModules } from '@gatehouse/stack/large-modules';
import { request } from 'undici';
import { positive } from './options.ts';
import { freePorts, processes, ready } from './processes.ts';
import { median } from './report.ts';

const goalMs = 50;

const { values } = parseArgs({
  options: {
    modules: { type: 'string', default: '5000' },
    requests: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '1,4' },
  },
});
const modules = positive('modules', values.modules);
const requests = positive('requests', values.requests);
const rounds = positive('rounds', values.rounds);
const clients = values.clients.split(',').map((text) => positive('clients', text));

/** Common words, rare ones, several at once, none that is there, and later pages. */
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

await using running = await processes();
const port = await freePorts('modules', 'bare');
const registry = `http://127.0.0.1:${port.modules}`;
const bare = `http://127.0.0.1:${port.bare}`;
running.start(['bench/module-server.ts', String(port.modules), String(modules)], {
  GATEHOUSE_DATA: join(running.folder, 'modules'),
});
await ready(`${registry}/health`);
const pathOf = (index: number): string => `/v1/modules/search?${queries[index % queries.length]}`;
const body = join(running.folder, 'page.json');
writeFileSync(body, await textOf(`${registry}${pathOf(1)}`));
running.start(['bench/bare-server.ts', String(port.bare), body]);
await ready(bare);
const look = searchOfTexts();

for (const connections of clients) {
  const times = { registry: [] as number[][], bare: [] as number[][], sqlite: [] as number[][] };
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push(await timesOf(connections, async (index) => void (await textOf(bare + pathOf(index)))));
    times.registry.push(
      await timesOf(connections, async (index) => void (await textOf(registry + pathOf(index)))),
    );
    times.sqlite.push(
      await timesOf(1, (index) => Promise.resolve(look(queries[index % queries.length] ?? ''))),
    );
  }
  const versions = (modules * 10).toLocaleString('en-US');
  process.stdout.write(
    `\nSearch over ${versions} versions, ${connections} at once, ${rounds} × ${requests}\n`,
  );
  for (const [name, measured] of [
    ['bare HTTP server', times.bare],
    ['SQLite alone', times.sqlite],
    ['module registry', times.registry],
  ] as const) {
    const at = (part: number): number => median(measured.map((round) => percentile(round, part)));
    const ratio = median(
      measured.map((round, index) => percentile(round, 0.99) / percentile(times.sqlite[index] ?? [], 0.99)),
    );
    process.stdout.write(
      `  ${name.padEnd(17)} median ${at(0.5).toFixed(1).padStart(6)} ms   p99 ${at(0.99).toFixed(1).padStart(6)} ms   ${ratio.toFixed(1)} × SQLite\n`,
    );
  }
  const worst = Math.max(...times.registry.map((round) => percentile(round, 0.99)));
  process.stdout.write(
    `  The registry's slowest round has ${worst.toFixed(1)} ms at p99; the goal is ${goalMs}.\n`,
  );
}

/** Milliseconds of each request, so many at once. */
async function timesOf(connections: number, run: (index: number) => Promise<void>): Promise<number[]> {
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

function percentile(times: readonly number[], part: number): number {
  return times.toSorted((one, other) => one - other)[Math.ceil(times.length * part) - 1] ?? Number.NaN;
}

async function textOf(address: string): Promise<string> {
  const answer = await request(address);
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${address} was answered ${answer.statusCode}: ${text}`);
  return text;
}

/** Looks for the words of a query in the text of each module, as plainly as it can be done. */
function searchOfTexts(): (query: string) => void {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE text (id INTEGER PRIMARY KEY, words TEXT NOT NULL)');
  const insert = db.prepare('INSERT INTO text (words) VALUES (?)');
  for (const { namespace, name, provider, description } of largeModules(modules))
    insert.run(`${namespace}/${name}/${provider} ${description}`.toLowerCase());
  return (query) => {
    const words = new URLSearchParams(query).get('q')?.split(' ') ?? [];
    const where = words.map(() => 'words LIKE ?').join(' AND ');
    db.prepare(`SELECT id FROM text WHERE ${where} ORDER BY id LIMIT 100`).all(
      ...words.map((one) => `%${one}%`),
    );
  };
}
