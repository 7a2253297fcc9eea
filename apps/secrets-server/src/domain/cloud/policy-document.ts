import { endOfString, skipSpace } from '@gatehouse/service-kit/parse-json';
import { keyOf } from '../../core/json/members.ts';

/** Longest document, in characters; providers take far less. */
const longest = 1024 * 1024;
/** Deepest nesting of objects and lists; a policy needs six. */
const deepest = 32;

/**
 * JSON without the spaces between its signs; everything else stays byte for byte.
 * @returns what is wrong, as `fault`: empty when the text is not a JSON object, else why it is not taken though it is one
 */
export function compactDocument(text: string): { readonly document: string } | { readonly fault: string } {
  if (text.length > longest) return { fault: `it has more than ${longest} characters` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: '' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fault: '' };
  const pieces: string[] = [];
  /** The names so far in each object that is open; undefined for a list. */
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
 * One document with the statements of all; a single one stays as it is, and none is undefined.
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
