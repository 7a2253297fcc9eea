import { endOfString, skipSpace } from '@gatehouse/service-kit/parse-json';

/** Deepest nesting that a body may have; what walks over values recursively relies on it. */
export const maxDepth = 512;

/** Most objects, arrays, and members and elements after the first that a body may have: to read, merge or wrap them takes a tenth of a second. */
export const mostMembers = 20_000;

/** Most bytes of JSON that a version of a secret, or a value to be wrapped, may have: each read of it keeps everybody waiting. */
export const mostValueBytes = 4 * 1024 * 1024;

/** Where a member's value stands in a text: from `start`, before `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Why a text is not taken. */
export type MembersFault = 'too deep' | 'repeated member';

/**
 * Finds the values of the outermost object's members in JSON text, which must be well-formed.
 * @returns their places by name, or what is wrong with the text
 */
export function findMembers(text: string): ReadonlyMap<string, Span> | MembersFault {
  const members = new Map<string, Span>();
  let at = skipSpace(text, 0) + 1;
  for (;;) {
    at = skipSpace(text, at);
    if (text.charCodeAt(at) !== quote) return members;
    const keyEnd = endOfString(text, at);
    const name = keyOf(text.slice(at, keyEnd));
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    if (end === undefined) return 'too deep';
    if (members.has(name)) return 'repeated member';
    members.set(name, { start, end });
    at = skipSpace(text, end) + 1;
  }
}

const quote = 0x22;

/** A key's text without its quotes and escapes. */
export function keyOf(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

/** The place after the value that starts at `start`; undefined when it is nested too deeply. */
export function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  let at = start;
  do {
    const code = text.charCodeAt(at);
    switch (code) {
      case quote:
        at = endOfString(text, at);
        break;
      case 0x7b:
      case 0x5b:
        // One level is the body's own object.
        if (++depth >= maxDepth) return undefined;
        at++;
        break;
      case 0x7d:
      case 0x5d:
        depth--;
        at++;
        break;
      default:
        if (depth === 0) return endOfScalar(text, at);
        at++;
    }
  } while (depth > 0 && at < text.length);
  return at;
}

function endOfScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x7d || code === 0x5d || code <= 0x20) break;
    at++;
  }
  return at;
}
