/**
 * How long others wait while strangers keep an access controller busy: answers of /health, one after the other, alone and
 * beside requests without a token whose filters take all the work that a stranger's may. The two take turns.
 *
 *     npm run bench -- strangers [--seconds 4] [--rounds 5] [--strangers 8]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { password } from './console.ts';
import { positive } from './options.ts';
import { freePorts, processes, ready } from './processes.ts';
import { median } from './report.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    strangers: { type: 'string', default: '8' },
  },
});
const seconds = positive('seconds', values.seconds);
const rounds = positive('rounds', values.rounds);
const strangers = positive('strangers', values.strangers);

await using running = await processes();
const { access } = await freePorts('access');
running.start(['apps/access-controller/src/main.ts'], {
  GATEHOUSE_DATA: join(running.folder, 'access'),
  GATEHOUSE_ACCESS_PORT: String(access),
  GATEHOUSE_ADMIN_PASSWORD: password,
});
const origin = `http://127.0.0.1:${access}`;
await ready(`${origin}/health`);
const pool = new Pool(origin, { connections: strangers + 1 });

/** As many clauses as may be in three nested `any`, each of which looks at every part of an item. */
const clauses = Array.from({ length: 60 }, (_, at) => `a != "${at}"`).join(' and ');
const filter = `any "/item" as c { any "/item" as b { any "/item" as a { ${clauses} and a == "no" } } }`;
const path = `/v1/auth-methods?scope_id=global&recursive=true&filter=${encodeURIComponent(filter)}`;

/** Milliseconds that each answer of /health took, until the time is over. */
async function waits(): Promise<number[]> {
  const found: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    const began = performance.now();
    const answer = await pool.request({ method: 'GET', path: '/health' });
    await answer.body.dump();
    found.push(performance.now() - began);
  }
  return found.toSorted((a, b) => a - b);
}

const rows = { alone: [] as number[][], 'beside strangers': [] as number[][] };
const answers = new Map<number, number>();
for (let round = 0; round < rounds; round += 1) {
  rows.alone.push(await waits());
  const over = new AbortController();
  const asking = Array.from({ length: strangers }, async () => {
    while (!over.signal.aborted) {
      const answer = await pool.request({ method: 'GET', path });
      await answer.body.dump();
      answers.set(answer.statusCode, (answers.get(answer.statusCode) ?? 0) + 1);
    }
  });
  rows['beside strangers'].push(await waits());
  over.abort();
  await Promise.all(asking);
}
await pool.close();

process.stdout.write(`\n/health beside ${strangers} strangers, ${rounds} rounds of ${seconds} s, in ms\n`);
for (const [name, times] of Object.entries(rows)) {
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
