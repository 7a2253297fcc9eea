/** Markdown that others wrote, as nodes that can do nothing: no HTML of theirs, no images from elsewhere, no scripts. */
import createPurifier, { type Config } from 'dompurify';
import { Lexer, Marked, Parser, type Token, type Tokens } from 'marked';

/** Headings begin below those of the page and of its cards. */
const headingsBelow = 2;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

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
    // What is fetched from elsewhere would tell who reads it: an image is a link to follow knowingly.
    image: ({ href, text }: Tokens.Image): string =>
      `<a href="${escaped(href)}">${escaped(text === '' ? 'Image' : `Image: ${text}`)}</a>`,
    checkbox: ({ checked }: Tokens.Checkbox): string => (checked ? '[x] ' : '[ ] '),
  },
});

const allowed: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS:
    'h3 h4 h5 h6 p br hr blockquote pre code strong em del a ul ol li table thead tbody tr th td'.split(' '),
  ALLOWED_ATTR: ['href', 'title', 'start', 'align'],
  // These are no addresses, to which the pattern below would be applied.
  ADD_URI_SAFE_ATTR: ['start', 'align'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // Addresses without a host would lead into the console.
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  RETURN_DOM_FRAGMENT: true,
};

const purifier = createPurifier(window);
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  if (!node.hasAttribute('href')) return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer nofollow');
});

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

/** The nodes of a text in Markdown, to be put into the page; of one that is too long, or nested too deep, the text itself. */
export function markdownFragment(text: string): DocumentFragment {
  let html = `<pre>${escaped(text)}</pre>`;
  try {
    if (text.length <= longestText)
      html = Parser.parse(new BoundedLexer(marked.defaults).lex(text), marked.defaults);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return purifier.sanitize(html, allowed);
}
