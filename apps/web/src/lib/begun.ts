/** Requests that were sent before the page's code was there (`public/begin.js`), and what they were answered. */

interface Begun {
  readonly answer: Promise<Response>;
  /** When it was sent, as `performance.now()` tells it. */
  readonly at: number;
}

declare global {
  /** By address; absent where begin.js did not run. */
  var begun: Map<string, Begun> | undefined;
}

/** Answers older than this are requested again. On a slow connection the page's code alone takes some 20 seconds. */
const freshMs = 30_000;

/** The answer to a request that was begun, once; undefined where it has to be sent. */
export function takeBegun(url: string): Promise<Response> | undefined {
  const found = globalThis.begun?.get(url);
  if (found === undefined) return undefined;
  globalThis.begun?.delete(url);
  return performance.now() - found.at < freshMs ? found.answer : undefined;
}

/** From the first change on, what was asked before it may be wrong. */
export function forgetBegun(): void {
  globalThis.begun?.clear();
}
