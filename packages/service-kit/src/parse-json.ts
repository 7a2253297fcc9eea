declare global {
  /** From ECMAScript's "JSON.parse source text access"; TypeScript's library lacks these types. */
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/**
 * `JSON.parse` without a bug of V8 14.6 in names with an escape: V8 mistakes such a name for an earlier one with a
 * backslash if the new name's source text begins with the earlier name's characters. After `{"a":1,"\\":2}` it reads
 * `{"a":1,"\"":2}` as the former.
 * @throws SyntaxError for text that is not JSON
 */
export function parseJson(text: string): unknown {
  return parse(text, undefined);
}

/**
 * Like `parseJson`, but numbers that JavaScript would write differently are kept as raw values (`JSON.rawJSON`), which
 * `JSON.stringify` writes back unchanged.
 * @throws SyntaxError for text that is not JSON; RangeError for too deep nesting
 */
export function parseExactJson(text: string): unknown {
  return parse(text, asWritten);
}

/** The text of a value that `parseExactJson` returned: a string itself, and anything else as JSON. */
export function textOfExact(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Whether a value is a JSON object: not an array, and not a raw number of `parseExactJson`. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

type Reviver = ((name: string, value: unknown) => unknown) | undefined;

/** A reviver for `JSON.parse` that reads numbers as `parseExactJson` does. */
export function asWritten(
  _name: string,
  value: unknown,
  ...[context]: { readonly source?: string }[]
): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source
    ? JSON.rawJSON(source)
    : value;
}

function parse(text: string, reviver: Reviver): unknown {
  const value: unknown = JSON.parse(text, reviver);
  return hasEscapedName(text) ? valueAt(text, skipSpace(text, 0), reviver).value : value;
}

function hasEscapedName(text: string): boolean {
  let escape = text.indexOf('\\');
  for (let at = text.indexOf('"'); at !== -1 && escape !== -1;) {
    const end = endOfString(text, at);
    if (escape < end) {
      if (text[skipSpace(text, end)] === ':') return true;
      escape = text.indexOf('\\', end);
    }
    at = text.indexOf('"', end);
  }
  return false;
}

interface Read {
  readonly value: unknown;
  readonly end: number;
}

/** Reads the value at `start` of well-formed text. Parses each name separately, so that V8 confuses none of them. */
function valueAt(text: string, start: number, reviver: Reviver): Read {
  switch (text[start]) {
    case '{':
      return objectAt(text, start, reviver);
    case '[':
      return arrayAt(text, start, reviver);
    case '"':
      return scalarAt(text, start, endOfString(text, start), reviver);
    default:
      return scalarAt(text, start, endOfScalar(text, start), reviver);
  }
}

function scalarAt(text: string, start: number, end: number, reviver: Reviver): Read {
  return { value: JSON.parse(text.slice(start, end), reviver), end };
}

function objectAt(text: string, start: number, reviver: Reviver): Read {
  const object = {};
  let at = skipSpace(text, start + 1);
  while (text[at] !== '}') {
    const name = scalarAt(text, at, endOfString(text, at), undefined);
    const { value, end } = valueAt(text, skipSpace(text, skipSpace(text, name.end) + 1), reviver);
    // Assigning `__proto__` would not create a member.
    Object.defineProperty(object, String(name.value), {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
    at = afterComma(text, end);
  }
  return { value: object, end: at + 1 };
}

function arrayAt(text: string, start: number, reviver: Reviver): Read {
  const items: unknown[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== ']') {
    const { value, end } = valueAt(text, at, reviver);
    items.push(value);
    at = afterComma(text, end);
  }
  return { value: items, end: at + 1 };
}

function afterComma(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text[at] === ',' ? skipSpace(text, at + 1) : at;
}

/** The position after white space in a JSON text. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

const scalar = /[^ \t\n\r,\]}]*/y;

/** The position after the number or word that begins at `start` in a JSON text: a number may have megabytes. */
export function endOfScalar(text: string, start: number): number {
  scalar.lastIndex = start;
  scalar.test(text);
  return scalar.lastIndex;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** The last position of a long number at `at`, so that it is stepped over at once; otherwise `at`. */
export function lastOfNumber(text: string, at: number): number {
  const isLong = isDigit(text.charCodeAt(at)) && isDigit(text.charCodeAt(at + 64));
  return isLong ? endOfScalar(text, at) - 1 : at;
}

/**
 * The position after the string whose opening quote is at `start` in a JSON text; the end of the text if the string
 * doesn't end. Uses `indexOf`, which skips megabytes of a string in a fraction of a loop's time.
 */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}
