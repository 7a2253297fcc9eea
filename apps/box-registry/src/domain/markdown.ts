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

/** Most lines that quotes make the parser read again in one text, about 0.2 seconds of work. */
const mostReadAgain = 4_000_000;

/** The beginning of a line: nested marks of quotes and lists. */
const marks = /^(?:[ \t]|>|(?:[*+-]|\d{1,9}[.)])(?=[ \t]))*/;

/**
 * Estimates how many lines quotes make the parser read again. A line without a mark may continue the previous quote,
 * so for each line that begins a quote, the parser reads the rest of the text, as often as the square of the quote's
 * depth.
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

/**
 * The most recently rendered texts, with their HTML. Without it, reading a slow text repeatedly would keep the
 * process busy.
 */
const rendered = new Map<string, string>();
/** Most characters of texts and HTML in `rendered`. */
const mostKept = 4 * 1024 * 1024;
let kept = 0;

/**
 * Renders a description as safe HTML. An empty text stays empty; a text with too many table cells or quotes is shown
 * unrendered.
 */
export function renderMarkdown(text: string): string {
  if (text === '') return '';
  const known = rendered.get(text);
  const html = known ?? htmlOf(text);
  if (known === undefined) kept += text.length + html.length;
  // Moves the text to the end, since the first entries are dropped first.
  rendered.delete(text);
  rendered.set(text, html);
  for (const [oldest, its] of rendered) {
    if (kept <= mostKept) break;
    rendered.delete(oldest);
    kept -= oldest.length + its.length;
  }
  return html;
}
