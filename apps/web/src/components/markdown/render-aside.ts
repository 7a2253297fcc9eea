import { startWorker } from '#lib/trusted-worker.ts';
// oxlint-disable-next-line import/default -- the bundler answers the address of the worker's own bundle
import address from './markdown.worker.ts?worker&url';

/** Time limit per text, in ms. */
const longest = 1000;

let worker: Worker | undefined;
/** Renders one text at a time. */
let turn: Promise<string | undefined> = Promise.resolve(undefined);

/** HTML of rendered texts: reopened documents have their height at once, which keeps the scroll position. */
export const renderedBefore = new Map<string, string>();
const mostKept = 20;

/**
 * Markdown as HTML, rendered in a worker; undefined to show the source: it renders to too much, takes too
 * long, or no worker starts.
 * @param signal aborted when the result is no longer needed
 */
export function renderAside(text: string, signal: AbortSignal): Promise<string | undefined> {
  turn = turn.then(() => (signal.aborted ? undefined : render(text)));
  return turn;
}

async function render(text: string): Promise<string | undefined> {
  try {
    worker ??= startWorker(address);
    const html = await answerOf(worker, text);
    if (renderedBefore.size === mostKept) renderedBefore.clear();
    if (html !== undefined) renderedBefore.set(text, html);
    return html;
  } catch {
    worker?.terminate();
    worker = undefined;
    return undefined;
  }
}

function answerOf(from: Worker, text: string): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  const done = new AbortController();
  let timer: number | undefined;
  const listen = ({ data }: MessageEvent<string | undefined>): void => {
    if (timer !== undefined) resolve(data);
    // If the page itself was blocked, an answer that has already arrived is handled first.
    timer ??= window.setTimeout(() => window.setTimeout(reject), longest);
  };
  from.addEventListener('message', listen, done);
  from.addEventListener('error', reject, done);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  from.postMessage(text);
  return promise.finally(() => {
    done.abort();
    window.clearTimeout(timer);
  });
}
