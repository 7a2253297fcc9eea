import MarkdownIt from 'markdown-it';

/** Raw HTML is shown as text, and links lead to these places alone: what people write cannot run in a page. */
const allowedLinks = /^(?:https?:\/\/|mailto:|#)/i;

const markdown = new MarkdownIt({ html: false, linkify: true });
markdown.validateLink = (url) => allowedLinks.test(url);
// A picture would tell its server who reads the description: it becomes a link.
markdown.renderer.rules['image'] = (tokens, at) => {
  const token = tokens[at];
  const address = markdown.utils.escapeHtml(String(token?.attrGet('src') ?? ''));
  return `<a href="${address}">${markdown.utils.escapeHtml(token?.content ?? '')}</a>`;
};

/** What was rendered last, by its text: a text that is slow to render is read by anybody, again and again. */
const rendered = new Map<string, string>();
/** Characters of text that are kept with their HTML. */
const mostKept = 4 * 1024 * 1024;
let kept = 0;

/** A description as HTML that is safe to show; empty for an empty one. */
export function renderMarkdown(text: string): string {
  if (text === '') return '';
  const known = rendered.get(text);
  const html = known ?? markdown.render(text);
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
