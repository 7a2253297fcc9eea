/**
 * How long others wait while strangers keep an access controller busy: answers of /health, and a person's lists of 1,000
 * targets, one after the other, alone and beside requests without a token whose filters take all the work that a
 * stranger's may. The rows take turns.
 *
 *     npm run bench -- strangers [--seconds 4] [--rounds 5] [--strangers 8] [--crowd 64]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { password } from './console.ts';
import { positive } from './options.ts';
import { freePorts, processes, ready } from './processes.ts';
import { median } from './report.ts';
import { signInDirectly } from './target-servers.ts';
import { createOwnTargets } from './target-work.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    strangers: { type: 'string', default: '8' },
    crowd: { type: 'string', default: '64' },
  },
});
const seconds = positive('seconds', values.seconds);
const rounds = positive('rounds', values.rounds);
const strangers = positive('strangers', values.strangers);
const crowd = positive('crowd', values.crowd);

await using running = await processes();
const { access } = await freePorts('access');
const server = running.start(['apps/access-controller/src/main.ts'], {
  GATEHOUSE_DATA: join(running.folder, 'access'),
  GATEHOUSE_ACCESS_PORT: String(access),
  GATEHOUSE_ADMIN_PASSWORD: password,
});
const origin = `http://127.0.0.1:${access}`;
await ready(`${origin}/health`);
const pool = new Pool(origin, { connections: Math.max(strangers, crowd) + 1 });

/** As many clauses as may be in three nested `any`, each of which looks at every part of an item. */
const clauses = Array.from({ length: 60 }, (_, at) => `a != "${at}"`).join(' and ');
/** One stranger has the first of these, the next the second, and so on. */
const paths = [
  `${clauses} and a == "no"`,
  `"/item/version" == ${'9'.repeat(3900)}`,
  Array.from({ length: 60 }, () => '1 in "/item/authorized_actions" or "/item" is empty').join(' or '),
  '"/item/description" matches "(?i)[a-z ]{0,50}[0-9]"',
].map((clause) => {
  const filter = `any "/item" as c { any "/item" as b { any "/item" as a { ${clause} } } }`;
  return `/v1/auth-methods?scope_id=global&recursive=true&filter=${encodeURIComponent(filter)}`;
});

const credential = await signInDirectly(origin);
const headers = { authorization: `Bearer ${credential}` };
const direct = { name: 'direct', origin, targets: '/v1/targets', credential, isConsole: false, server };
for (let made = 0; made < 1000; made += 50) await createOwnTargets(direct, 50);

/** Milliseconds that each answer took, until the time is over. */
async function waits(path: string): Promise<number[]> {
  const found: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    const began = performance.now();
    const answer = await pool.request({ method: 'GET', path, headers });
    await answer.body.dump();
    found.push(performance.now() - began);
  }
  return found.toSorted((a, b) => a - b);
}

const answers = new Map<number, number>();
/** The waits beside so many strangers. */
async function beside(count: number, path: string): Promise<number[]> {
  const over = new AbortController();
  const asking = Array.from({ length: count }, async (_, at) => {
    while (!over.signal.aborted) {
      const answer = await pool.request({ method: 'GET', path: paths[at % paths.length] ?? '' });
      await answer.body.dump();
      answers.set(answer.statusCode, (answers.get(answer.statusCode) ?? 0) + 1);
    }
  });
  const found = await waits(path);
  over.abort();
  await Promise.all(asking);
  return found;
}

const list = `/v1/targets?scope_id=p_1234567890&page_size=1000`;
const rows = [
  { name: '/health', count: 0, path: '/health', rounds: [] as number[][] },
  { name: `/health beside ${strangers}`, count: strangers, path: '/health', rounds: [] },
  { name: 'list', count: 0, path: list, rounds: [] },
  { name: `list beside ${crowd}`, count: crowd, path: list, rounds: [] },
];
for (let round = 0; round < rounds; round += 1) {
  for (const row of rows) row.rounds.push(await beside(row.count, row.path));
}
await pool.close();

process.stdout.write(`\nBeside strangers, ${rounds} rounds of ${seconds} s, in ms\n`);
for (const { name, rounds: times } of rows) {
  const [middle, rare, worst] = [0.5, 0.99, 1].map((part) =>
    median(times.map((all) => all[Math.min(all.length - 1, Math.floor(all.length * part))] ?? Number.NaN)),
  );
  const columns = { half: middle, '99 %': rare, worst };
  const told = Object.entries(columns).map(
    ([what, ms = Number.NaN]) => `${what} ${ms.toFixed(1).padStart(6)}`,
  );
  process.stdout.write(`  ${name.padEnd(18)} ${told.join('   ')}\n`);
}
process.stdout.write(
  `  the strangers were answered ${[...answers].map(([status, count]) => `${status} × ${count}`).join(', ')}\n`,
);
