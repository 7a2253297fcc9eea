/** Renders texts in Markdown beside the page, which ends it when one takes too long. */
import { markdownHtml } from './markdown-html.ts';

function say(message?: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it goes to the page that started this worker
  globalThis.postMessage(message);
}

globalThis.addEventListener('message', ({ data }: MessageEvent<string>) => {
  // From now on the page counts.
  say();
  say(markdownHtml(data));
});
