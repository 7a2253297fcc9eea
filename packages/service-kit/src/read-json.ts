import { endOfScalar, endOfString, skipSpace } from './parse-json.ts';
import type { Slices } from './slices.ts';

/** Limits of a JSON text that `readJson` enforces. */
export interface JsonBounds {
  /** Deepest nesting of objects and arrays; the outermost value has depth 1. */
  readonly maxDepth: number;
  /** Most members of all objects plus elements of all arrays. */
  readonly maxMembers: number;
  /** Whether a repeated name and `__proto__` are refused. Otherwise the last of several members with a name counts. */
  readonly strictNames: boolean;
}

/** Members and elements between two chances for others. */
const membersBetween = 32;

/**
 * `JSON.parse` with limits and in slices, for texts of several MiB, which would block others for half a second. Without
 * the bug of V8 that `parseJson` avoids, because each name is parsed separately.
 * @throws RangeError for a text beyond the limits; SyntaxError for one that is not JSON, or whose names are refused
 */
export async function readJson(
  text: string,
  { maxDepth, maxMembers, strictNames }: JsonBounds,
  slices: Pick<Slices, 'giveWay'>,
): Promise<unknown> {
  /** The containers that have begun, the innermost last, each within the previous one. */
  const open: object[] = [];
  let members = 0;
  let at = skipSpace(text, 0);
  for (;;) {
    const parent = open.at(-1);
    let name: PropertyKey = '';
    if (parent !== undefined) {
      if (++members > maxMembers) throw new RangeError(`more than ${maxMembers} members`);
      if (members % membersBetween === 0) await slices.giveWay();
      if (Array.isArray(parent)) name = parent.length;
      else {
        const end = endOfString(text, at);
        name = String(JSON.parse(text.slice(at, end)));
        if (strictNames && (name === '__proto__' || Object.hasOwn(parent, name)))
          throw new SyntaxError('a repeated or forbidden name');
        at = skipSpace(text, end);
        if (text[at] !== ':') throw broken(at);
        at = skipSpace(text, at + 1);
      }
    }
    const start = text[at];
    const isContainer = start === '{' || start === '[';
    let value: unknown;
    if (isContainer) {
      if (open.length === maxDepth) throw new RangeError(`more than ${maxDepth} levels`);
      const container = start === '{' ? {} : [];
      open.push(container);
      value = container;
      at = skipSpace(text, at + 1);
    } else {
      const end = start === '"' ? endOfString(text, at) : endOfScalar(text, at);
      value = JSON.parse(text.slice(at, end));
      at = skipSpace(text, end);
    }
    if (parent !== undefined && name !== '__proto__') Reflect.set(parent, name, value);
    else if (parent !== undefined)
      Object.defineProperty(parent, name, {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    // A container's first member, or its end.
    if (isContainer && !closes(text, at, value)) continue;
    for (let inner = open.at(-1); inner !== undefined && closes(text, at, inner); inner = open.at(-1)) {
      value = open.pop();
      at = skipSpace(text, at + 1);
    }
    if (open.length === 0) {
      if (at < text.length) throw broken(at);
      return value;
    }
    if (text[at] !== ',') throw broken(at);
    at = skipSpace(text, at + 1);
  }
}

function closes(text: string, at: number, container: unknown): boolean {
  return text[at] === (Array.isArray(container) ? ']' : '}');
}

function broken(at: number): SyntaxError {
  return new SyntaxError(`not JSON at position ${at}`);
}
