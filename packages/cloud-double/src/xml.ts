/** An element's content: text, elements by name (a list becomes `member` elements), or nothing. */
export type Xml = string | number | undefined | readonly Xml[] | { readonly [name: string]: Xml };

/** Serializes an element; undefined becomes nothing. */
export function element(name: string, content: Xml): string {
  if (content === undefined) return '';
  return `<${name}>${inner(content)}</${name}>`;
}

function inner(content: Exclude<Xml, undefined>): string {
  if (typeof content === 'string' || typeof content === 'number') return escape(String(content));
  if (isList(content)) return content.map((item) => element('member', item)).join('');
  return Object.entries(content)
    .map(([name, value]) => element(name, value))
    .join('');
}

function isList(content: object): content is readonly Xml[] {
  return Array.isArray(content);
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
