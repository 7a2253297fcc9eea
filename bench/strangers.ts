/**
 * How long others wait while strangers keep an access controller busy: answers of /health, and a person's lists of 1,000
 * targets, one after the other, alone and beside requests without a token whose filters take all the work that a
 * stranger's may.
 *
 *     npm run bench -- strangers [--seconds 4] [--rounds 5] [--strangers 8] [--crowd 64]
 */
import { Pool } from 'undici';
import { call, openBench, options } from './harness.ts';
import { inTurns, print, printTimes } from './measure.ts';

const { seconds, rounds, strangers, crowd } = options({ seconds: 4, rounds: 5, strangers: 8, crowd: 64 });

await using bench = await openBench();
const controller = await bench.service('access');
const pool = new Pool(controller.origin, { connections: Math.max(strangers, crowd) + 1 });

/** The most clauses in three nested `any`, each of which reads all parts of an item. */
const clauses = Array.from({ length: 60 }, (_, at) => `a != "${at}"`).join(' and ');
/** Strangers take these in turn. */
const paths = [
  `${clauses} and a == "no"`,
  `"/item/version" == ${'9'.repeat(3900)}`,
  Array.from({ length: 60 }, () => '1 in "/item/authorized_actions" or "/item" is empty').join(' or '),
  '"/item/description" matches "(?i)[a-z ]{0,50}[0-9]"',
].map((clause) => {
  const filter = `any "/item" as c { any "/item" as b { any "/item" as a { ${clause} } } }`;
  return `/v1/auth-methods?scope_id=global&recursive=true&filter=${encodeURIComponent(filter)}`;
});

for (let made = 0; made < 1000; made += 1) {
  await call(controller, 'POST', '/v1/targets', {
    type: 'tcp',
    scope_id: 'p_1234567890',
    name: `bench ${made}`,
    address: '127.0.0.1',
    attributes: { default_port: 22 },
  });
}

/** Milliseconds of each answer beside these strangers, until the time is over. */
const answers = new Map<number, number>();
async function beside(count: number, path: string): Promise<number[]> {
  const over = new AbortController();
  const asking = Array.from({ length: count }, async (_, at) => {
    while (!over.signal.aborted) {
      const answer = await pool.request({ method: 'GET', path: paths[at % paths.length] ?? '' });
      await answer.body.dump();
      answers.set(answer.statusCode, (answers.get(answer.statusCode) ?? 0) + 1);
    }
  });
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    const began = performance.now();
    const answer = await pool.request({ method: 'GET', path, headers: controller.headers });
    await answer.body.dump();
    times.push(performance.now() - began);
  }
  over.abort();
  await Promise.all(asking);
  return times;
}

const list = '/v1/targets?scope_id=p_1234567890&page_size=1000';
const rows = [
  { name: '/health', run: () => beside(0, '/health') },
  { name: `/health beside ${strangers}`, run: () => beside(strangers, '/health') },
  { name: 'list', run: () => beside(0, list) },
  { name: `list beside ${crowd}`, run: () => beside(crowd, list) },
];
printTimes(`Beside strangers, ${rounds} rounds of ${seconds} s`, await inTurns(rows, rounds));
await pool.close();
const told = [...answers].map(([status, count]) => `${status} × ${count}`).join(', ');
print(`  the strangers were answered ${told}\n`);
