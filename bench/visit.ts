import type { Browser, Page } from '@playwright/test';

/** A page that is opened, and what has to stand in it. */
export interface Place {
  readonly name: string;
  readonly path: string;
  /** CSS selector of what a person came for. */
  readonly stands: string;
  /** The longest it may take until that stands, in ms; undefined where no time was set. */
  readonly goalMs: number | undefined;
}

/** What one first visit took. */
export interface Visit {
  /** From the start of the navigation until what a person came for was painted. */
  readonly ms: number;
  readonly requests: number;
  /** On the wire, with headers. */
  readonly bytes: number;
  /** The sum of the layout's shifts (CLS). */
  readonly shift: number;
}

/** The connection that a person is thought to have. */
const bytesPerSecond = 9_000_000 / 8;
const latencyMs = 60;

/** What the page says when what is waited for stands. */
const stood = 'bench: it stands';

/** As long as nothing is fetched, the page has all it wants. */
const quietMs = 1000;

/** Opens a place in a browser that has never been there, and waits until the page is quiet. */
export async function visit(
  browser: Browser,
  {
    origin,
    cookie,
    place: { path, stands },
    slower,
  }: { origin: string; cookie: string | undefined; place: Place; slower: number },
): Promise<Visit> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } });
  try {
    if (cookie !== undefined) {
      const [name = '', value = ''] = cookie.split('=');
      await context.addCookies([{ name, value, url: origin }]);
    }
    const page = await context.newPage();
    const wire = await slowWire(page, slower);
    await page.addInitScript(watchPaint, { stands, stood });
    await Promise.all([
      // The page tells when it stands: to ask it again and again would slow down what is measured.
      page.waitForEvent('console', { predicate: (message) => message.text() === stood, timeout: 60_000 }),
      page.goto(path, { waitUntil: 'commit' }),
    ]);
    await wire.quiet();
    const { ms, shift } = await page.evaluate(() => ({
      ms: Number(Reflect.get(globalThis, 'stoodAt')),
      shift: Number(Reflect.get(globalThis, 'shifted')),
    }));
    return { ms, shift, requests: wire.requests(), bytes: wire.bytes() };
  } finally {
    await context.close();
  }
}

/** In the page: remembers when what is waited for was painted, and by how much the layout shifted. */
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
    // A task after the next frame: by then it was painted.
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
async function slowWire(page: Page, slower: number) {
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
