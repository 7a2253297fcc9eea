/** Markdown that others wrote, as nodes that can do nothing: no HTML of theirs, no images from elsewhere, no scripts. */
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

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    html: () => '',
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

/** Most characters that are rendered: a quote that each second line goes on takes more than the square of the time. */
const longestText = 160 * 1024;

/** Before the names of headings: `#name` alone could be taken for another part of the page. */
const headingPrefix = 'user-content-';

/**
 * The nodes of a text in Markdown, to be put into the page; of one that is too long, or nested too deep, the text itself.
 * @param resolve where links without a host lead, but for those to its own headings
 */
export function markdownFragment(text: string, resolve: ResolveLink = () => undefined): DocumentFragment {
  let html = `<pre>${escaped(text)}</pre>`;
  try {
    if (text.length <= longestText)
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
    if (to.startsWith('#')) {
      const id = headingPrefix + decoded(to.slice(1)).toLowerCase();
      if (headings.has(id)) link.setAttribute('href', `#${id}`);
      continue;
    }
    const href = resolve(to);
    if (href === undefined) continue;
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
