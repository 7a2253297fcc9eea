/**
 * First visits of pages in Chromium with an empty cache, on a connection of 9 Mbit/s and 60 ms and a processor that is four
 * times slower: how many requests, how many bytes, how long until what a person came for stands, and by how much the
 * layout shifts meanwhile. The pages take turns, so that the machine's mood falls on all of them alike.
 *
 *     npm run bench -- page [--rounds 5] [--slower 4] [--at http://127.0.0.1:8080]
 *
 * It starts the demo of its own, or measures consoles that run already (`--at`, more than once to compare them), whose
 * `admin` has the password in GATEHOUSE_ADMIN_PASSWORD.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { ensureChromium } from '../tools/chromium.mjs';
import { startDemo } from '../tools/demo.mjs';
import { password, signInToConsole } from './console.ts';
import { positive } from './options.ts';
import { median } from './report.ts';
import { visit, type Place, type Visit } from './visit.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    slower: { type: 'string', default: '4' },
    at: { type: 'string', multiple: true },
  },
});
const rounds = positive('rounds', values.rounds);
/** How many times slower than this machine the processor is. */
const slower = positive('slower', values.slower);
const environment = 'production';

/** Rows with a link are rows of data: what stands for them while they load has none. */
const row = 'main [role=row] a[href], main tbody tr a[href]';
const places: readonly Place[] = [
  { name: 'sign-in', path: '/sign-in', stands: 'input[type=password]', goalMs: undefined },
  { name: 'Overview', path: `/${environment}`, stands: 'main li a[href*="/targets/"]', goalMs: undefined },
  { name: 'targets', path: `/${environment}/targets`, stands: row, goalMs: 2000 },
  {
    name: 'secrets folder',
    path: `/${environment}/secrets/secret/folder/commerce/checkout`,
    stands: row,
    goalMs: 2000,
  },
  { name: 'boxes', path: `/${environment}/boxes`, stands: row, goalMs: 2000 },
];

await using demo = values.at === undefined ? await startDemo(password) : undefined;
const origins = values.at ?? (demo === undefined ? [] : [demo.origin]);
const chosen = values.at === undefined ? password : (process.env['GATEHOUSE_ADMIN_PASSWORD'] ?? '');
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const measured = await Promise.all(
    origins.map(async (origin) => ({
      origin,
      cookie: await signInToConsole(origin, 'access', environment, chosen),
      visits: places.map((place) => ({ place, all: [] as Visit[] })),
    })),
  );
  for (let round = -1; round < rounds; round += 1) {
    for (const [index] of places.entries()) {
      for (const { origin, cookie, visits } of measured) {
        const { place, all } = visits[index] ?? {};
        if (place === undefined || all === undefined) continue;
        const taken = await visit(browser, {
          origin,
          cookie: place.path === '/sign-in' ? undefined : cookie,
          place,
          slower,
        });
        // The first round warms the servers up.
        if (round >= 0) all.push(taken);
      }
    }
  }
  for (const { origin, visits } of measured) process.stdout.write(tableOf(origin, visits));
  const load = loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');
  process.stdout.write(`\nLoad of the machine at the end (1, 5, 15 minutes): ${load}\n`);
} finally {
  await browser.close();
}

/** Medians of the rounds, the range of the times, and the goals. */
function tableOf(origin: string, visits: readonly { place: Place; all: readonly Visit[] }[]): string {
  const lines = visits.map(({ place: { name, goalMs }, all }) => {
    const times = all.map(({ ms }) => ms / 1000);
    const of = (what: keyof Visit): number => median(all.map((one) => one[what]));
    return [
      `  ${name.padEnd(15)}`,
      `${of('requests').toFixed(0).padStart(4)} requests`,
      `${(of('bytes') / 1000).toFixed(1).padStart(6)} kB`,
      `${median(times).toFixed(2)} s (${Math.min(...times).toFixed(2)}–${Math.max(...times).toFixed(2)})`,
      `shift ${of('shift').toFixed(3)}`,
      goalMs === undefined ? '' : `goal: 40 requests, ${(goalMs / 1000).toFixed(1)} s`,
    ]
      .join('   ')
      .trimEnd();
  });
  return `\nFirst visits of ${origin}, ${rounds} rounds, a processor ${slower} times slower\n${lines.join('\n')}\n`;
}
