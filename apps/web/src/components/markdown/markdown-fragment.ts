/** Markdown that others wrote, as nodes that can do nothing: of HTML bare elements only, no images from elsewhere, no scripts. */
import createPurifier, { type Config } from 'dompurify';
import { Lexer, Marked, Parser, type Token, type Tokens } from 'marked';
import { decoded } from '#lib/decoded.ts';

/** Headings begin below those of the page and of its cards. */
const headingsBelow = 2;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The kinds of GitHub's alerts: quotes that begin with `[!NOTE]`. */
const alert = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/;

/** What makes an address one that leads out of the console. */
const leadsOut = /^(?:https?:\/\/|mailto:)/i;

/**
 * Where a link without a host leads: a path of the console, or an address elsewhere.
 * @returns undefined for nowhere: then it is text
 */
export type ResolveLink = (href: string) => string | undefined;

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');
}

/** Elements of HTML that are kept, without attributes. Those that open again by themselves, as `<b>` does, would take the square of the time. */
const keptElements = new Set('br hr p blockquote pre ul ol li table thead tbody tr th td'.split(' '));

/** How many of those that hold others of their kind a text may open: hundreds of tables within one another stop the page. */
const mostOpened: Readonly<Record<string, number>> = {
  table: 100,
  ul: 100,
  ol: 100,
  blockquote: 100,
  pre: 1000,
};
const opened = new Map<string, number>();

/** Characters of all addresses of a text: a short one may name a long address thousands of times. */
const mostAddresses = 512 * 1024;
let addresses = 0;

/** Cells of tables in a text: each row has as many as the first, however short it is. */
const mostCells = 10_000;

/**
 * At least as many cells as the tables of a text have. Lines below what only looks like the head of a table count too: they are
 * looked through for each such head.
 */
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

/** Elements whose text is no text of the page. */
const opaqueElements =
  /<(?:script|style|svg|math|template|noscript|iframe|object|textarea|select|title|xmp)\b/i;

/** A comment, up to its end or the next one; a tag; or what only looks like one. */
const pieces = /<!--(?:[^-<]|-(?!->)|<(?!!--))*(?:-->)?|<(\/?)([a-z][a-z0-9]*)(?![a-z0-9])[^<>]*>|</gi;

/** HTML as the bare elements that documents are made of, and of all others what they hold. */
function bareHtml(html: string): string {
  if (opaqueElements.test(html)) return '';
  return html.replaceAll(pieces, (piece, close: string | undefined, name: string | undefined) => {
    if (name === undefined) return piece === '<' ? '&lt;' : '';
    const element = name.toLowerCase();
    if (close === '') {
      const count = (opened.get(element) ?? 0) + 1;
      opened.set(element, count);
      if (count > (mostOpened[element] ?? Infinity)) return '';
    }
    if (keptElements.has(element)) return `<${close}${element}>`;
    const level = /^h[1-6]$/.test(element) ? Math.min(6, Number(element[1]) + headingsBelow) : undefined;
    if (level !== undefined) return `<${close}h${level}>`;
    return element === 'summary' ? `<${close}p>` : '';
  });
}

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag): string => bareHtml(text),
    heading({ tokens, depth }: Tokens.Heading): string {
      const level = String(Math.min(6, depth + headingsBelow));
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    link({ href, tokens }: Tokens.Link): string {
      return linkTo(href, this.parser.parseInline(tokens));
    },
    // What is fetched from elsewhere would tell who reads it: an image is a link to follow knowingly.
    image: ({ href, text }: Tokens.Image): string =>
      linkTo(href, escaped(text === '' ? 'Image' : `Image: ${text}`)),
    checkbox: ({ checked }: Tokens.Checkbox): string => (checked ? '☑ ' : '☐ '),
    blockquote({ tokens }: Tokens.Blockquote): string {
      const html = this.parser.parse(tokens);
      const kind = tokens[0]?.type === 'paragraph' ? alert.exec(tokens[0].raw)?.[1] : undefined;
      if (kind === undefined) return `<blockquote>${html}</blockquote>\n`;
      const title = kind.charAt(0) + kind.slice(1).toLowerCase();
      return `<blockquote><p><strong>${title}</strong></p>${html.replace(/\[![A-Z]+\]\s*/, '')}</blockquote>\n`;
    },
  },
});

/** One without a host is resolved when the rest of the HTML is known to do nothing. */
function linkTo(href: string, html: string): string {
  addresses += href.length;
  if (addresses > mostAddresses) return html;
  return `<a ${leadsOut.test(href) ? 'href' : 'data-to'}="${escaped(href)}">${html}</a>`;
}

const allowed: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS:
    'h3 h4 h5 h6 p br hr blockquote pre code strong em del a ul ol li table thead tbody tr th td'.split(' '),
  ALLOWED_ATTR: ['href', 'data-to', 'start', 'align'],
  // These are no addresses, to which the pattern below would be applied.
  ADD_URI_SAFE_ATTR: ['data-to', 'start', 'align'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // Addresses without a host would lead into the console.
  ALLOWED_URI_REGEXP: leadsOut,
  RETURN_DOM_FRAGMENT: true,
};

const purifier = createPurifier(window);
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  if (!node.hasAttribute('href')) return;
  leadOut(node);
});

function leadOut(link: Element): void {
  link.setAttribute('target', '_blank');
  link.setAttribute('rel', 'noopener noreferrer nofollow');
}

/** Most characters of a paragraph or a cell in which markup is looked for: it takes the square of the time. */
const longestInline = 4096;

class BoundedLexer extends Lexer {
  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (src.length <= longestInline) return super.inlineTokens(src, tokens);
    tokens.push({ type: 'text', raw: src, text: src, escaped: false });
    return tokens;
  }
}

/** A line that begins with the marks of so many quotes and lists within one another: each looks through the rest of it. */
const deepest = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])(?=[ \t]))){100}/m;

/** Lines that are read again for quotes in a text: 0.1 s. */
const mostReadAgain = 4_000_000;

/** What begins a line: marks of quotes and lists within one another. */
const marks = /^(?:[ \t]|>|(?:[*+-]|\d{1,9}[.)])(?=[ \t]|$))*/;

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

/** Steps for paragraphs in lists of a text: 0.2 s. */
const mostJoined = 40_000_000;

/**
 * About as many steps as paragraphs in lists take: each line is added to a copy of those before it, once for each list around
 * it. A list ends where nothing more belongs to it, which only the lexer knows: lines after one count as well.
 */
function joinedFor(text: string): number {
  let steps = 0;
  let depth = 0;
  let run = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    const [begins] = marks.exec(line) ?? [''];
    run = /^[\s>]*$/.test(line) || /[*+.)-]/.test(begins) ? 0 : run + 1;
    if (/[*+.)-]/.test(begins)) depth = begins.length / 2;
    // What a square grows by.
    steps += depth * (2 * run - 1);
  }
  return steps;
}

/** Most characters that are rendered. */
const longestText = 160 * 1024;

/** Before the names of headings: `#name` alone could be taken for another part of the page. */
const headingPrefix = 'user-content-';

/** The heading that a fragment of an address names, with the prefix or, as GitHub has it, without. */
export function headingAt(place: ParentNode, hash: string): HTMLElement | undefined {
  const name = decoded(hash.replace(/^#/, '')).toLowerCase();
  if (name === '') return undefined;
  const id = name.startsWith(headingPrefix) ? name : headingPrefix + name;
  return [...place.querySelectorAll<HTMLElement>('h3, h4, h5, h6')].find((heading) => heading.id === id);
}

/**
 * The nodes of a text in Markdown, to be put into the page; of one that is too long, nested too deep, or has too many quotes or
 * too large tables or paragraphs in lists, the text itself.
 * @param resolve where links without a host lead, but for those to its own headings
 */
export function markdownFragment(text: string, resolve: ResolveLink = () => undefined): DocumentFragment {
  let html = `<pre>${escaped(text)}</pre>`;
  opened.clear();
  addresses = 0;
  try {
    if (
      text.length <= longestText &&
      cellsIn(text) <= mostCells &&
      readAgainFor(text) <= mostReadAgain &&
      joinedFor(text) <= mostJoined &&
      !deepest.test(text)
    )
      html = Parser.parse(new BoundedLexer(marked.defaults).lex(text), marked.defaults);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const fragment = purifier.sanitize(html, allowed);
  const headings = nameHeadings(fragment);
  for (const item of fragment.querySelectorAll('li'))
    if (/^[☑☐] /.test(item.textContent.trimStart())) item.className = 'list-none';
  for (const link of fragment.querySelectorAll('a[data-to]')) {
    const to = link.getAttribute('data-to') ?? '';
    link.removeAttribute('data-to');
    const id = to.startsWith('#') ? headingPrefix + decoded(to.slice(1)).toLowerCase() : undefined;
    const inPage = id !== undefined && headings.has(id) ? `#${id}` : undefined;
    const href = id === undefined ? resolve(to) : inPage;
    if (href === undefined) {
      link.replaceWith(...link.childNodes);
      continue;
    }
    link.setAttribute('href', href);
    if (leadsOut.test(href)) leadOut(link);
  }
  return fragment;
}

/**
 * As GitHub names them, so that links that were written for it lead there.
 * @returns their names: a fragment is searched from its beginning for each
 */
function nameHeadings(fragment: DocumentFragment): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const names = new Set<string>();
  for (const heading of fragment.querySelectorAll('h3, h4, h5, h6')) {
    const name = heading.textContent
      .toLowerCase()
      .trim()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    heading.id = headingPrefix + name + (count === 0 ? '' : `-${count}`);
    names.add(heading.id);
  }
  return names;
}
