/** Turns the HTML of untrusted Markdown into nodes that can't do anything. */
import { visibleText } from '@gatehouse/ui/visible-text';
import createPurifier, { type Config } from 'dompurify';
import { decoded } from '#lib/decoded.ts';

/** Addresses outside the console. */
const leadsOut = /^(?:https?:\/\/|mailto:)/i;

/**
 * Resolves a link without a host to a path of the console or an external address.
 * @returns undefined to show it as text
 */
export type ResolveLink = (href: string) => string | undefined;

const allowed: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS:
    'h3 h4 h5 h6 p br hr blockquote pre code strong em del a ul ol li table thead tbody tr th td'.split(' '),
  ALLOWED_ATTR: ['data-to', 'start', 'align'],
  // Not addresses.
  ADD_URI_SAFE_ATTR: ['data-to', 'start', 'align'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

const purifier = createPurifier(window);

/** Prefix of heading IDs, so that they can't collide with those of the page. */
const headingPrefix = 'user-content-';

/** The heading that a URL's fragment names, with the prefix, or without it as on GitHub. */
export function headingAt(place: ParentNode, hash: string): HTMLElement | undefined {
  const name = decoded(hash.replace(/^#/, '')).toLowerCase();
  if (name === '') return undefined;
  const id = name.startsWith(headingPrefix) ? name : headingPrefix + name;
  return [...place.querySelectorAll<HTMLElement>('h3, h4, h5, h6')].find((heading) => heading.id === id);
}

/** A text and its HTML from `markdownHtml`. */
export interface Rendered {
  readonly text: string;
  readonly html: string | undefined;
  readonly resolve?: ResolveLink | undefined;
}

/** A text as nodes for the page. */
export function markdownFragment({ text, html, resolve }: Rendered): Node {
  if (html === undefined) {
    const pre = document.createElement('pre');
    pre.append(visibleText(text));
    return pre;
  }
  const fragment = purifier.sanitize(html, allowed);
  const headings = nameHeadings(fragment);
  const texts = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode as Text;
    const shown = visibleText(node.data);
    if (shown !== node.data) node.data = shown;
  }
  for (const item of fragment.querySelectorAll('li'))
    if (/^[☑☐] /.test(item.textContent.trimStart())) item.className = 'list-none';
  for (const link of fragment.querySelectorAll('a')) {
    const to = link.getAttribute('data-to') ?? '';
    link.removeAttribute('data-to');
    const href = hrefOf(to, headings, resolve);
    if (href === undefined) {
      link.replaceWith(...link.childNodes);
      continue;
    }
    link.href = href;
    if (!leadsOut.test(href)) continue;
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  return fragment;
}

function hrefOf(to: string, headings: ReadonlySet<string>, resolve?: ResolveLink): string | undefined {
  if (leadsOut.test(to)) return to;
  if (!to.startsWith('#')) return resolve?.(to);
  const id = headingPrefix + decoded(to.slice(1)).toLowerCase();
  return headings.has(id) ? `#${id}` : undefined;
}

/**
 * Names headings like GitHub does, so that links written for it work.
 * @returns the names, because searching the fragment for each would start at its beginning
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
