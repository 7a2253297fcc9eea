import { hash } from 'node:crypto';
import MarkdownIt, { type Token } from 'markdown-it';

/** Links may open only these addresses, and raw HTML is shown as text: descriptions can't run code in a page. */
const allowedLinks = /^(?:https?:\/\/|mailto:|#)/i;

const markdown = new MarkdownIt({ html: false, linkify: true });
// Turns bare URLs into links only if they have a scheme: finding other forms takes quadratic time.
markdown.linkify.add('//', null).set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
markdown.validateLink = (url) => allowedLinks.test(url);
// An image would tell its server who reads the description, so it becomes a link.
markdown.renderer.rules['image'] = (tokens, at) => {
  const token = tokens[at];
  boundAddress(token, 'src');
  const address = token?.attrGet('src');
  const text = markdown.utils.escapeHtml(token?.content ?? '');
  return address == null ? text : `<a href="${markdown.utils.escapeHtml(String(address))}">${text}</a>`;
};
markdown.renderer.rules['link_open'] = (tokens, at, options, _env, self) => {
  boundAddress(tokens[at], 'href');
  return self.renderToken(tokens, at, options);
};

/**
 * Most characters of all link addresses and titles in a text. A short text can refer to one long address thousands of
 * times.
 */
const mostAddresses = 512 * 1024;
let addresses = 0;

/** Removes a link's address and title once the text has too many of them. */
function boundAddress(link: Token | undefined, attribute: string): void {
  if (link === undefined) return;
  addresses += String(link.attrGet(attribute) ?? '').length + String(link.attrGet('title') ?? '').length;
  if (addresses > mostAddresses) link.attrs = null;
}

/** Most table cells of a text. Each row has as many cells as the first one, however short it is. */
const mostCells = 10_000;

/** An upper bound of the table cells in a text. */
function cellsIn(text: string): number {
  let columns = 0;
  let cells = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    if (/^[\s>]*$/.test(line)) columns = 0;
    else if (/^[\s>]*[|:-][\s|:-]*$/.test(line)) columns = Math.max(columns, line.split('|').length);
    cells += columns;
  }
  return cells;
}

/**
 * Most steps of the parser for one text: twice as many as the densest changelogs and READMEs of 64 KiB need, and about
 * 20 milliseconds of work.
 */
const mostSteps = 30_000;
/** Steps that beginning a block, or continuing it in a further line, counts as. */
const stepsOfLine = 4;
/** Characters that a search for the end of a link's text passes in the time of one step. */
const searchedInStep = 20;
let steps = 0;

class TooManySteps extends Error {}

/** Counts steps of the parser. Added to its rules, matches nothing. @throws TooManySteps */
function countSteps(count: number): false {
  steps += count;
  if (steps > mostSteps) throw new TooManySteps();
  return false;
}

// Quotes make the parser read lines again, and brackets make it search the rest of a paragraph again.
const alt = ['paragraph', 'reference', 'blockquote', 'list'];
markdown.block.ruler.before('table', 'steps', () => countSteps(stepsOfLine), { alt });
markdown.inline.ruler.before('text', 'steps', () => countSteps(1));
markdown.inline.ruler2.before('balance_pairs', 'steps', ({ tokens }) => countSteps(tokens.length + 1));
const { parseLinkLabel } = markdown.helpers;
const parseCounted: typeof parseLinkLabel = (state, start, disableNested) => {
  const end = parseLinkLabel(state, start, disableNested);
  countSteps(((end < 0 ? state.posMax : end) - start) / searchedInStep);
  return end;
};
Object.assign(markdown.helpers, { parseLinkLabel: parseCounted });

/** The HTML of a text; undefined if it has too many table cells, or would take too many steps. */
function htmlOf(text: string): string | undefined {
  if (cellsIn(text) > mostCells) return undefined;
  addresses = 0;
  steps = 0;
  try {
    return markdown.render(text);
  } catch (error) {
    if (error instanceof TooManySteps) return undefined;
    throw error;
  }
}

/**
 * The HTML of the most recently read texts by their hashes; undefined for those that are shown unrendered. Without it,
 * reading slow texts repeatedly would keep the process busy.
 */
const rendered = new Map<string, string | undefined>();
/** Most characters in `rendered`. */
const mostKept = 4 * 1024 * 1024;
let kept = 0;

const sizeOf = (key: string, html: string | undefined): number => key.length + (html?.length ?? 0);

/**
 * Renders a description as safe HTML. An empty text stays empty; a text with too many table cells, or that would take
 * too many steps, is shown unrendered.
 */
export function renderMarkdown(text: string): string {
  if (text === '') return '';
  const key = hash('sha256', text, 'base64');
  const isKnown = rendered.has(key);
  const html = isKnown ? rendered.get(key) : htmlOf(text);
  if (!isKnown) kept += sizeOf(key, html);
  // Moves the text to the end, since the first entries are dropped first.
  rendered.delete(key);
  rendered.set(key, html);
  for (const [oldest, its] of rendered) {
    if (kept <= mostKept) break;
    rendered.delete(oldest);
    kept -= sizeOf(oldest, its);
  }
  return html ?? `<pre>${markdown.utils.escapeHtml(text)}</pre>\n`;
}
