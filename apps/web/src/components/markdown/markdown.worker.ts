/** Renders Markdown in a worker, which the page terminates if it takes too long. */
import { markdownHtml } from './markdown-html.ts';

function say(message?: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it goes to the page that started this worker
  globalThis.postMessage(message);
}

globalThis.addEventListener('message', ({ data }: MessageEvent<string>) => {
  // The page's time limit begins with this message.
  say();
  say(markdownHtml(data));
});
