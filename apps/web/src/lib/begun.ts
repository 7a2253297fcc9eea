/** Requests that `public/begin.js` sent before the page's code arrived, and their responses. */

interface Begun {
  readonly answer: Promise<Response>;
  /** When it was sent, by `performance.now()`. */
  readonly at: number;
}

declare global {
  /** By URL; absent if begin.js did not run. */
  var begun: Map<string, Begun> | undefined;
}

/** Older responses are requested again. On slow connections the page's code takes about 20 seconds. */
const freshMs = 30_000;

/** The response to a request that was begun, for one use; undefined if the request must be sent. */
export function takeBegun(url: string): Promise<Response> | undefined {
  const found = globalThis.begun?.get(url);
  if (found === undefined) return undefined;
  globalThis.begun?.delete(url);
  return performance.now() - found.at < freshMs ? found.answer : undefined;
}

/** Drops all responses, because a write may have made them outdated. */
export function forgetBegun(): void {
  globalThis.begun?.clear();
}
