import { endOfScalar, endOfString, lastOfNumber, skipSpace } from '@gatehouse/service-kit/parse-json';

/** The maximum nesting of a body, on which recursive code relies. */
export const maxDepth = 512;

/** The maximum number of members and elements in a body: handling that many takes about 0.1 seconds. */
export const mostMembers = 20_000;

/**
 * The maximum JSON size of a secret's version or a wrapped value in bytes. Each read of a large value blocks other
 * requests.
 */
export const mostValueBytes = 4 * 1024 * 1024;

/** The range of a member's value in a text: from `start` up to, but not including, `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The reason why a text is refused. */
export type MembersFault = 'too deep' | 'repeated member';

/**
 * Finds the values of the outermost object's members in well-formed JSON.
 * @returns their ranges by name, or the fault
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

/** Decodes the JSON literal of a key. */
export function keyOf(literal: string): string {
  return literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

/** The position after the value that starts at `start`; undefined if the value is nested too deeply. */
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
        // The body's own object is one level.
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
        at = lastOfNumber(text, at) + 1;
    }
  } while (depth > 0 && at < text.length);
  return at;
}
