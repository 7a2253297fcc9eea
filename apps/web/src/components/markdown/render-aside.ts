import { startWorker } from '#lib/trusted-worker.ts';
// oxlint-disable-next-line import/default -- the bundler answers the address of the worker's own bundle
import address from './markdown.worker.ts?worker&url';

/** How long the worker may take for a text, in milliseconds. */
const longest = 1000;

let worker: Worker | undefined;
/** Texts are rendered one after another. */
let turn: Promise<string | undefined> = Promise.resolve(undefined);

/** HTML of texts rendered before: a document that is opened again is as long at once as it was, so that the page stays where it was scrolled to. */
export const renderedBefore = new Map<string, string>();
const mostKept = 20;

/**
 * A text in Markdown as HTML, rendered in a worker; undefined where the text itself is to be shown: it becomes too much or takes
 * too long, or no worker starts.
 * @param signal aborted when nobody waits for it any more
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
    // Where the page itself stood still, an answer that has arrived comes first.
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
