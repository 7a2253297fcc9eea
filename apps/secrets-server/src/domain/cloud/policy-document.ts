import { endOfString, skipSpace } from '@gatehouse/service-kit/parse-json';
import { keyOf } from '../../core/json/members.ts';

/** The maximum nesting of objects and lists; a policy needs six levels. */
const deepest = 32;

/**
 * Removes the whitespace between the tokens of a JSON text and keeps every other byte.
 * @returns the reason for a refusal as `fault`, which is empty if the text is not a JSON object
 */
export function compactDocument(text: string): { readonly document: string } | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: '' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fault: '' };
  const pieces: string[] = [];
  /** The member names read so far in each open object; undefined for an open list. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const start = at;
    const sign = text[at];
    at = sign === '"' ? endOfString(text, at) : at + 1;
    const piece = text.slice(start, at);
    pieces.push(piece);
    if (sign === '{' || sign === '[') {
      if (open.length === deepest) return { fault: `it is nested more than ${deepest} levels deep` };
      open.push(sign === '{' ? new Set() : undefined);
    } else if (sign === '}' || sign === ']') {
      open.pop();
    } else if (sign === '"' && text[skipSpace(text, at)] === ':') {
      const name = keyOf(piece);
      if (open.at(-1)?.has(name) === true)
        return { fault: `the member ${JSON.stringify(name)} is listed twice` };
      open.at(-1)?.add(name);
    }
  }
  return { document: pieces.join('') };
}

/**
 * Merges the statements of all documents into one. Returns a single document unchanged, and undefined for none.
 * @param documents JSON objects
 */
export function combineDocuments(documents: readonly string[]): string | undefined {
  const [first, ...others] = documents;
  if (others.length === 0) return first;
  const statements = documents.flatMap((document): unknown => {
    const { Statement = [] } = JSON.parse(document) as { readonly Statement?: unknown };
    return Statement;
  });
  return JSON.stringify({ Version: '2012-10-17', Statement: statements });
}
