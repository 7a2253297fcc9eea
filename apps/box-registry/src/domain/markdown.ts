import MarkdownIt, { type Token } from 'markdown-it';

/** Raw HTML is shown as text, and links lead to these places alone: what people write cannot run in a page. */
const allowedLinks = /^(?:https?:\/\/|mailto:|#)/i;

const markdown = new MarkdownIt({ html: false, linkify: true });
// Of links as they stand those with a scheme alone: what else is looked for takes the square of the time.
markdown.linkify.add('//', null).set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
markdown.validateLink = (url) => allowedLinks.test(url);
// A picture would tell its server who reads the description: it becomes a link.
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

/** Characters of all addresses and titles of a text: a short one may name a long address thousands of times. */
const mostAddresses = 512 * 1024;
let addresses = 0;

/** Leaves a link without its address and title where the text has too many of them. */
function boundAddress(link: Token | undefined, attribute: string): void {
  if (link === undefined) return;
  addresses += String(link.attrGet(attribute) ?? '').length + String(link.attrGet('title') ?? '').length;
  if (addresses > mostAddresses) link.attrs = null;
}

/** Cells of tables in a text: each row has as many as the first, however short it is. */
const mostCells = 10_000;

/** At least as many cells as the tables of a text have. */
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

/** Lines that are read again for quotes in a text: 0.2 s. */
const mostReadAgain = 4_000_000;

/** What begins a line: marks of quotes and lists within one another. */
const marks = /^(?:[ \t]|>|(?:[*+-]|\d{1,9}[.)])(?=[ \t]))*/;

/**
 * About as many lines as are read again for the quotes of a text. A line without a mark may continue the quote before it: for
 * each line that begins one the rest of the text is read again, at each of its depths as often as it is deep.
 */
function readAgainFor(text: string): number {
  const lines = text.split(/\r\n?|\n/);
  let quotes = 0;
  for (const line of lines) {
    const [begins] = marks.exec(line) ?? [''];
    if (begins.includes('>')) quotes += begins.replaceAll(/[ \t\d]/g, '').length ** 2;
  }
  return quotes * lines.length;
}

function htmlOf(text: string): string {
  if (cellsIn(text) > mostCells || readAgainFor(text) > mostReadAgain)
    return `<pre>${markdown.utils.escapeHtml(text)}</pre>\n`;
  addresses = 0;
  return markdown.render(text);
}

/** What was rendered last, by its text: a text that is slow to render is read by anybody, again and again. */
const rendered = new Map<string, string>();
/** Characters of text that are kept with their HTML. */
const mostKept = 4 * 1024 * 1024;
let kept = 0;

/** A description as HTML that is safe to show; empty for an empty one, the text itself where its tables are too large or its quotes too many. */
export function renderMarkdown(text: string): string {
  if (text === '') return '';
  const known = rendered.get(text);
  const html = known ?? htmlOf(text);
  if (known === undefined) kept += text.length + html.length;
  // The one that was asked for last is the last to go.
  rendered.delete(text);
  rendered.set(text, html);
  for (const [oldest, its] of rendered) {
    if (kept <= mostKept) break;
    rendered.delete(oldest);
    kept -= oldest.length + its.length;
  }
  return html;
}
