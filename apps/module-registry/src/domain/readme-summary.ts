/** Most characters of a version's description. */
export const maxDescription = 500;
/** Most characters of Markdown that are read for a description. */
const longestMarkup = 4 * maxDescription;

/** The part of a README that terraform-docs generates: it begins with text such as "No requirements." */
const generated =
  /<!-- BEGIN(?:_TF_DOCS|NING OF PRE-COMMIT-TERRAFORM DOCS HOOK) -->[^]*?(?:<!-- END(?:_TF_DOCS| OF PRE-COMMIT)|$)/g;

/** A line that ends the previous paragraph: an empty line, or the beginning of another block. */
const endsParagraph =
  /^\s*(?:$|#{1,6}\s|[>|]|[-*+]\s|1[.)]\s|(?:=+|-+)\s*$|`{3}|~{3}|\[[^\]]*\]:|<(?:!--|\/?(?:details|div|h[1-6r]|p|pre|table|ul|ol)\b))/i;

/** The first paragraph of a README that its author wrote as text, without Markdown; empty if there is none. */
export function summaryOf(readme: string): string {
  const lines = readme.slice(0, 10_000).replaceAll(generated, '').split('\n');
  const first = lines.findIndex((line) =>
    /^[\p{L}\p{N}]/u.test(plainText(line.slice(0, longestMarkup)).trim()),
  );
  if (first === -1) return '';
  const after = lines.slice(first + 1);
  const end = after.findIndex((line) => endsParagraph.test(line));
  const paragraph = [lines[first], ...after.slice(0, end === -1 ? undefined : end)].join(' ');
  const text = plainText(paragraph.slice(0, longestMarkup)).replaceAll(/\s+/g, ' ').trim();
  if (text.length <= maxDescription) return text.toWellFormed();
  const cut = text.slice(0, maxDescription - 1);
  const word = text[cut.length] === ' ' ? cut.length : cut.lastIndexOf(' ');
  return `${(word > 0 ? cut.slice(0, word) : cut).toWellFormed()}…`;
}

/**
 * The text of Markdown, without images, link addresses, emphasis and code marks. Takes linear time: a part of these
 * expressions that may be long ends where another match could begin.
 */
export function plainText(markdown: string): string {
  return withoutMarks(
    markdown
      .replaceAll(/!\[[^[\]]*\](?:\([^[)]*\)|\[[^[\]]*\])/g, '')
      .replaceAll(/\[([^[\]]*)\](?:\([^[)]*\)|\[[^[\]]*\])/g, '$1')
      .replaceAll(/<\/?[a-z][^<>]*>/gi, ''),
  );
}

/** Removes pairs of marks. Within code, other marks are text. */
function withoutMarks(text: string): string {
  // Every second part is a mark.
  const parts = text.split(/(\*{1,3}|~~|`{1,3}|_{1,3})/);
  const shown = [...parts];
  /** The index of each kind's last mark that can open. */
  const opened = new Map<string, number>();
  for (let at = 1; at < parts.length; at += 2) {
    const [before = '', mark = '', after = ''] = parts.slice(at - 1, at + 2);
    const opening = opened.get(mark);
    const isEmpty = before === '' && opening === at - 2;
    if (opening !== undefined && !isEmpty && !/\s$/.test(before.slice(-1)) && !/^[\p{L}\p{N}]/u.test(after)) {
      if (mark.startsWith('`'))
        for (let inner = opening; inner < at; inner += 1) shown[inner] = parts[inner] ?? '';
      shown[opening] = '';
      shown[at] = '';
      for (const [kind, index] of opened) if (index >= opening) opened.delete(kind);
    } else if (/^(?:\S|$)/.test(after) && !(mark.startsWith('_') && /[\p{L}\p{N}]$/u.test(before))) {
      opened.set(mark, at);
    }
  }
  return shown.join('');
}
