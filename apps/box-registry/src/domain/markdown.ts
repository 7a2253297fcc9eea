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

/** A description as HTML that is safe to show; empty for an empty one. */
export function renderMarkdown(text: string): string {
  return text === '' ? '' : markdown.render(text);
}
