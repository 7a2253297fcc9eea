/**
 * First visits of pages in Chromium with an empty cache, on a connection of 9 Mbit/s and 60 ms and a processor that is four
 * times slower: how many requests, how many bytes, how long until what a person came for stands, and by how much the
 * layout shifts meanwhile. Then keys typed into the command palette at the machine's own speed: how long from a key until
 * the frame that shows its matches.
 *
 *     npm run bench -- page [--rounds 5] [--slower 4] [http://127.0.0.1:8080 …]
 *
 * It starts a demo of its own, or measures consoles that run already (several to compare them), whose `admin` has the
 * password in GATEHOUSE_ADMIN_PASSWORD.
 */
import { loadavg } from 'node:os';
import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { ensureChromium } from '../tools/chromium.mjs';
import { startDemo } from '../tools/demo.mjs';
import { options, password, signInToConsole } from './harness.ts';
import { inTurns, median, print } from './measure.ts';

/** `slower`: how many times slower than this machine the processor is. */
const { rounds, slower } = options({ rounds: 5, slower: 4 });
const environment = 'production';
/** The assumed connection of a user. */
const bytesPerSecond = 9_000_000 / 8;
const latencyMs = 60;
/** After this long without a request, the page is complete. */
const quietMs = 1000;
/** What the page logs when the awaited element was painted. */
const stood = 'bench: it stands';

/** Rows with a link contain data; placeholder rows have none. */
const row = 'main [role=row] a[href], main tbody tr a[href]';
/** `stands`: CSS selector of the awaited element. */
const places = [
  { name: 'sign-in', path: '/sign-in', stands: 'input[type=password]', goal: '' },
  { name: 'Overview', path: `/${environment}`, stands: 'main li a[href*="/targets/"]', goal: '' },
  ...Object.entries({
    targets: 'targets',
    'secrets folder': 'secrets/secret/folder/commerce/checkout',
    boxes: 'boxes',
  }).map(([name, path]) => ({
    name,
    path: `/${environment}/${path}`,
    stands: row,
    goal: 'goal: 40 requests, 2.0 s',
  })),
] as const;

const given = process.argv.slice(2).filter((text) => text.startsWith('http'));
await using demo = given.length === 0 ? await startDemo(password) : undefined;
const origins = demo === undefined ? given : [demo.origin];
const chosen = demo === undefined ? (process.env['GATEHOUSE_ADMIN_PASSWORD'] ?? '') : password;
await using browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const consoles = await Promise.all(
  origins.map(async (origin) => ({
    origin,
    cookie: (await signInToConsole(origin, 'access', environment, chosen)).token,
  })),
);
const rows = places.flatMap((place) =>
  consoles.map(({ origin, cookie }) => ({ name: place.name, run: () => visit(origin, cookie, place) })),
);
// The first round warms the servers up.
const measured = (await inTurns(rows, rounds + 1)).map(({ results }) => results.slice(1));
for (const [index, { origin }] of consoles.entries()) {
  print(`\nFirst visits of ${origin}, ${rounds} rounds, a processor ${slower} times slower\n`);
  for (const [at, { name, goal }] of places.entries()) {
    const visits = measured[at * consoles.length + index] ?? [];
    const times = visits.map(({ ms }) => ms / 1000);
    const of = (what: keyof Visit): number => median(visits.map((one) => one[what]));
    const columns = [
      `  ${name.padEnd(15)}`,
      `${of('requests').toFixed(0).padStart(4)} requests`,
      `${(of('bytes') / 1000).toFixed(1).padStart(6)} kB`,
      `${median(times).toFixed(2)} s (${Math.min(...times).toFixed(2)}–${Math.max(...times).toFixed(2)})`,
      `shift ${of('shift').toFixed(3)}`,
      goal,
    ];
    print(`${columns.join('   ').trimEnd()}\n`);
  }
}
for (const { origin, cookie } of consoles) {
  const keys = await typeIntoPalette(origin, cookie);
  print(
    `\nKeys in the command palette of ${origin}: ${keys.length}, median ${median(keys)} ms, slowest ${Math.max(...keys)} ms   goal: 50 ms\n`,
  );
}
const loads = loadavg().map((value) => value.toFixed(1));
print(`\nLoad of the machine at the end (1, 5, 15 minutes): ${loads.join(', ')}\n`);

/** The cost of one first visit. */
interface Visit {
  /** From the start of the navigation until the awaited element was painted. */
  readonly ms: number;
  readonly requests: number;
  /** On the wire, with headers. */
  readonly bytes: number;
  /** The sum of the layout shifts (CLS). */
  readonly shift: number;
}

/**
 * Types phrases into the command palette.
 * @returns for each key, milliseconds until the next frame, in steps of 8; browsers report fewer than 16 as nothing, which
 *   counts as 16
 */
async function typeIntoPalette(origin: string, cookie: string): Promise<readonly number[]> {
  await using context = await contextAt(origin, cookie);
  const page = await context.newPage();
  await page.addInitScript(() => {
    const durations: number[] = [];
    Reflect.set(globalThis, 'durations', durations);
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') durations.push(duration);
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
  await page.goto(`/${environment}/targets`);
  await page.locator(row).first().waitFor();
  const all: number[] = [];
  for (const phrase of ['create target', 'orders password', 'authorize postgres', 'who changed', 'zzz']) {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('searchbox').waitFor();
    await page.evaluate(() => (Reflect.get(globalThis, 'durations') as number[]).splice(0));
    await page.keyboard.type(phrase, { delay: 80 });
    await page.waitForTimeout(quietMs);
    const durations = await page.evaluate(() => Reflect.get(globalThis, 'durations') as number[]);
    const quick = Array.from({ length: Math.max(0, phrase.length - durations.length) }, () => 16);
    all.push(...durations, ...quick);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  return all;
}

/** @param cookie signs in; nobody is signed in without it */
async function contextAt(origin: string, cookie: string | undefined): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } });
  const [name = '', value = ''] = cookie?.split('=') ?? [];
  if (cookie !== undefined) await context.addCookies([{ name, value, url: origin }]);
  return context;
}

/** Opens a place in a new browser, and waits until the page is quiet. */
async function visit(
  origin: string,
  cookie: string,
  { path, stands }: (typeof places)[number],
): Promise<Visit> {
  await using context = await contextAt(origin, path === '/sign-in' ? undefined : cookie);
  const page = await context.newPage();
  const wire = await slowWire(page);
  await page.addInitScript(watchPaint, { stands, stood });
  await Promise.all([
    // The page reports the paint, because polling would slow down what is measured.
    page.waitForEvent('console', { predicate: (message) => message.text() === stood, timeout: 60_000 }),
    page.goto(path, { waitUntil: 'commit' }),
  ]);
  await wire.quiet();
  const { ms, shift } = await page.evaluate(() => ({
    ms: Number(Reflect.get(globalThis, 'stoodAt')),
    shift: Number(Reflect.get(globalThis, 'shifted')),
  }));
  return { ms, shift, requests: wire.requests(), bytes: wire.bytes() };
}

/** In the page: records when the awaited element was painted, and how much the layout shifted. */
function watchPaint({ stands, stood }: { readonly stands: string; readonly stood: string }): void {
  Reflect.set(globalThis, 'shifted', 0);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const before = Number(Reflect.get(globalThis, 'shifted'));
      Reflect.set(globalThis, 'shifted', before + Number(Reflect.get(entry, 'value')));
    }
  }).observe({ type: 'layout-shift', buffered: true });
  const observer = new MutationObserver(() => {
    if (document.querySelector(stands) === null) return;
    observer.disconnect();
    // A task after the next frame, when it was painted.
    requestAnimationFrame(() => {
      setTimeout(() => {
        Reflect.set(globalThis, 'stoodAt', performance.now());
        console.log(stood);
      });
    });
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Slows a page's connection and processor down, and counts what crosses the wire. */
async function slowWire(page: Page) {
  const client = await page.context().newCDPSession(page);
  let requests = 0;
  let bytes = 0;
  let lastAt = performance.now();
  const open = new Set<string>();
  client.on('Network.requestWillBeSent', ({ requestId }) => {
    requests += 1;
    open.add(requestId);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength;
    open.delete(requestId);
    lastAt = performance.now();
  });
  client.on('Network.loadingFailed', ({ requestId }) => {
    open.delete(requestId);
    lastAt = performance.now();
  });
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await client.send('Emulation.setCPUThrottlingRate', { rate: slower });
  return {
    requests: () => requests,
    bytes: () => bytes,
    async quiet() {
      while (open.size > 0 || performance.now() - lastAt < quietMs) await page.waitForTimeout(50);
    },
  };
}
