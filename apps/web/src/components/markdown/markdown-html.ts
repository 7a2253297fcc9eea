/** Markdown that others wrote, as HTML of bare elements: no images from elsewhere, no scripts, links that lead nowhere yet. */
import { Marked, type Tokens } from 'marked';

/** Headings begin below those of the page and of its cards. */
function headingOf(level: number): string {
  return `h${Math.min(6, level + 2)}`;
}

/** The kinds of GitHub's alerts: quotes that begin with `[!NOTE]`. */
const alert = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/;

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Elements of HTML that are kept, without attributes. Those that open again by themselves, as `<b>` does, would take the square of the time. */
const keptElements = new Set(
  'h3 h4 h5 h6 br hr p blockquote pre ul ol li table thead tbody tr th td'.split(' '),
);

/** Those that hold others of their kind: hundreds of tables within one another stop the page. Of each, a text may open so many. */
const holding = /^(?:table|[uo]l|blockquote|h\d)$/;
const mostHolding = 100;
/** Within a line: a paragraph there ends the emphasis and the links around it, which begin again after it. */
const mostInLines = 300;
const opened = new Map<string, number>();

/** Characters of all addresses of a text: a short one may name a long address thousands of times. */
const mostAddresses = 512 * 1024;
let addresses = 0;
/** A link in a link would end the outer one, and what is around both begins again. */
let isInLink = false;

/** Elements whose text is no text of the page. */
const opaqueElements =
  /<(?:script|style|svg|math|template|noscript|iframe|object|textarea|select|title|xmp)\b/i;

/** A comment, up to its end or the next one; a tag; or what only looks like one. */
const pieces = /<!--(?:[^-<]|-(?!->)|<(?!!--))*(?:-->)?|<(\/?)([a-z][a-z0-9]*)(?![a-z0-9])[^<>]*>|</gi;

/** HTML as the bare elements that documents are made of, and of all others what they hold. */
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
    // The end of a paragraph that has not begun is one of its own.
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
    // What is fetched from elsewhere would tell who reads it: an image is a link to follow knowingly, or the text of one.
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

/** Where it leads is decided by the page. */
function linkTo(href: string, html: string): string {
  addresses += href.length;
  return addresses > mostAddresses ? html : `<a data-to="${escaped(href)}">${html}</a>`;
}

/** Most characters that are rendered. */
const longestText = 160 * 1024;

/** Most characters and tags of a document: the page sanitizes so many in 0.2 s. */
const longestHtml = 1024 * 1024;
const mostTags = 50_000;

/**
 * A text in Markdown as HTML; undefined for one that is too long, nested too deep or becomes too much. It takes the square of
 * the time for many texts that are written for that: where somebody waits for it, it is called in a worker.
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
