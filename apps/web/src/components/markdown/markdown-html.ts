/** Untrusted Markdown as plain HTML: no external images, no scripts, and links without a destination. */
import { Marked, type Tokens } from 'marked';

/** Headings begin below those of the page and its cards. */
function headingOf(level: number): string {
  return `h${Math.min(6, level + 2)}`;
}

/** GitHub's alerts: quotes that begin with `[!NOTE]`. */
const alert = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/;

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Kept HTML elements, without attributes. Parsers reopen others, such as `<b>`, in quadratic time. */
const keptElements = new Set(
  'h3 h4 h5 h6 br hr p blockquote pre ul ol li table thead tbody tr th td'.split(' '),
);

/** Elements that nest: hundreds of nested tables block the page. Limit per element and text. */
const holding = /^(?:table|[uo]l|blockquote|h\d)$/;
const mostHolding = 100;
/** Limit within lines: after a paragraph there, the parser reopens the emphasis and links around it. */
const mostInLines = 300;
const opened = new Map<string, number>();

/** Limit of characters in all addresses: a short text may reference a long address thousands of times. */
const mostAddresses = 512 * 1024;
let addresses = 0;
/** A link in a link would close the outer one, and the parser would reopen what surrounds both. */
let isInLink = false;

/** Elements whose content isn't text. */
const opaqueElements =
  /<(?:script|style|svg|math|template|noscript|iframe|object|textarea|select|title|xmp)\b/i;

/** A comment, up to its end or the next one; a tag; or a single `<`. */
const pieces = /<!--(?:[^-<]|-(?!->)|<(?!!--))*(?:-->)?|<(\/?)([a-z][a-z0-9]*)(?![a-z0-9])[^<>]*>|</gi;

/** Reduces HTML to the kept elements, and other elements to their content. */
function bareHtml(html: string, isInLine: boolean): string {
  if (opaqueElements.test(html)) return '';
  return html.replaceAll(pieces, (piece, close: string | undefined, name: string | undefined) => {
    if (name === undefined) return piece === '<' ? '&lt;' : '';
    const element = name
      .toLowerCase()
      .replace('summary', 'p')
      .replace(/^h([1-6])$/, (_, level) => headingOf(Number(level)));
    if (!keptElements.has(element)) return '';
    const isHolding = holding.test(element);
    // A closing tag without a paragraph creates an empty one.
    const begins = close === '' || element === 'p';
    if (begins && element !== 'br' && (isHolding || isInLine || element === 'pre')) {
      const kind = element.replace(/\d/, '');
      const count = (opened.get(kind) ?? 0) + 1;
      opened.set(kind, count);
      if (count > (isHolding ? mostHolding : mostInLines)) return '';
    }
    return `<${close}${element}>`;
  });
}

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    html: ({ text, block }: Tokens.HTML | Tokens.Tag): string => bareHtml(text, !block),
    heading({ tokens, depth }: Tokens.Heading): string {
      return `<${headingOf(depth)}>${this.parser.parseInline(tokens)}</${headingOf(depth)}>\n`;
    },
    link({ href, tokens }: Tokens.Link): string {
      const outer = isInLink;
      isInLink = true;
      const html = this.parser.parseInline(tokens);
      isInLink = outer;
      return linkTo(href, html);
    },
    // Loading an external image would reveal the reader, so it becomes a link, or text inside a link.
    image({ href, text }: Tokens.Image): string {
      const name = escaped(text === '' ? 'Image' : `Image: ${text}`);
      return isInLink ? name : linkTo(href, name);
    },
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

/** The page sets the destination. */
function linkTo(href: string, html: string): string {
  addresses += href.length;
  return addresses > mostAddresses ? html : `<a data-to="${escaped(href)}">${html}</a>`;
}

/** Limit of rendered characters. */
const longestText = 160 * 1024;

/** Limits of the HTML: the page sanitizes that much in 0.2 s. */
const longestHtml = 1024 * 1024;
const mostTags = 50_000;

/**
 * Markdown as HTML; undefined if it is too long, too deeply nested or renders to too much. Malicious texts
 * may take quadratic time, so call it in a worker if someone waits.
 */
export function markdownHtml(text: string): string | undefined {
  if (text.length > longestText) return undefined;
  opened.clear();
  addresses = 0;
  isInLink = false;
  try {
    const html = marked.parse(text, { async: false });
    return html.length > longestHtml || html.split('<').length > mostTags ? undefined : html;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}
