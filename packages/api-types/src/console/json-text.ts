/**
 * JSON as text, for data that must stay exactly as written: numbers beyond JavaScript's precision, the order of keys,
 * duplicate keys, `__proto__`. Values are slices of the text and never reserialized.
 */

/** The text is not JSON, or not of the expected kind. `offset` is the position in UTF-16 units. */
export class JsonTextError extends SyntaxError {
  override readonly name = 'JsonTextError';
  readonly offset: number;
  /** Line and column from 1. */
  readonly line: number;
  readonly column: number;

  constructor(what: string, text: string, offset: number) {
    const before = text.slice(0, offset).split('\n');
    const line = before.length;
    const column = (before.at(-1)?.length ?? 0) + 1;
    super(`${what} (line ${line}, column ${column})`);
    this.offset = offset;
    this.line = line;
    this.column = column;
  }
}

/** A member of an object: its decoded key, and the text of its value without surrounding space. */
export interface JsonEntry {
  readonly key: string;
  readonly text: string;
}

/** Most levels of nested objects and arrays. */
export const nestingLimit = 500;

/**
 * An object's members in the order of the text; a duplicate key is listed twice.
 * @param most values, including nested ones; parsing millions of them takes a second
 * @throws JsonTextError if the text is not one JSON object
 */
export function entriesOf(text: string, most?: number): readonly JsonEntry[] {
  return membersOf(text, most).map(([key, value]) => ({ key, text: sliceOf(text, value) }));
}

/** Like `entriesOf`, with the positions of all values: reading each level's text again would take too long. */
export function membersOf(text: string, most?: number): NonNullable<JsonNode['members']> {
  const { members, start } = parse(text, most);
  if (members === undefined) {
    throw new JsonTextError('The data must be an object, such as {"key": "value"}', text, start);
  }
  return members;
}

/**
 * @param most values, including nested ones
 * @throws JsonTextError if the text is not one JSON object
 */
export function checkObjectText(text: string, most?: number): void {
  entriesOf(text, most);
}

/** @throws JsonTextError if the text is not one JSON value */
export function checkJsonText(text: string): void {
  parse(text);
}

/**
 * The text of an object with these members; with `indent`, each on its own line. Concatenates, which copies the text of
 * nested objects once, when it is read; joining would copy it at each level.
 */
export function objectText(entries: readonly JsonEntry[], indent = false): string {
  if (entries.length === 0) return '{}';
  const [line, space, end] = indent ? ['\n  ', ' ', '\n}'] : ['', '', '}'];
  let object = '';
  for (const { key, text } of entries)
    object += `${object === '' ? '{' : ','}${line}${JSON.stringify(key)}:${space}${text}`;
  return object + end;
}

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** The kind of a text that is known to be JSON. */
export function kindOf(text: string): JsonKind {
  const first = /[^ \t\n\r]/.exec(text)?.[0];
  switch (first) {
    case '{':
      return 'object';
    case '[':
      return 'array';
    case '"':
      return 'string';
    case 't':
    case 'f':
      return 'boolean';
    case 'n':
      return 'null';
    default:
      return 'number';
  }
}

/** The text that a JSON string represents; undefined for any other value. */
export function stringOf(text: string): string | undefined {
  if (kindOf(text) !== 'string') return undefined;
  const value: unknown = JSON.parse(text);
  return typeof value === 'string' ? value : undefined;
}

/** The members as a reader sees them: the last of duplicate keys counts, at the position of the first. */
export function lastByKey(entries: readonly JsonEntry[]): ReadonlyMap<string, string> {
  return new Map(entries.map(({ key, text }) => [key, text]));
}

/** The text of the value at nested object keys; undefined if there is none. @throws JsonTextError */
export function valueAt(text: string, keys: readonly string[]): string | undefined {
  let node: JsonNode | undefined = parse(text);
  for (const wanted of keys) node = node?.members?.findLast(([key]) => key === wanted)?.[1];
  return node === undefined ? undefined : sliceOf(text, node);
}

/**
 * Whether two texts have the same value. Ignores space and the order of keys, compares numbers by exact decimal value,
 * and uses the last of duplicate keys.
 * @throws JsonTextError if one is not JSON
 */
export function sameJson(a: string, b: string): boolean {
  return a === b || samePlaces([a, parse(a)], [b, parse(b)]);
}

/** Like `sameJson`, for two values in parsed texts. */
export function samePlaces(a: Place, b: Place): boolean {
  return sameNodes(a, b, sameNumber);
}

/**
 * Whether a stored text is what a server makes of a sent one: the same value, except that numbers may be rounded to
 * doubles, as Vault and OpenBao do.
 * @throws JsonTextError if one is not JSON
 */
export function isStoredAs(stored: string, sent: string): boolean {
  return (
    stored === sent ||
    sameNodes(
      [stored, parse(stored)],
      [sent, parse(sent)],
      (there, here) => sameNumber(there, here) || sameNumber(there, asDouble(here)),
    )
  );
}

/** A number as a server prints it after rounding to a double; unchanged if it exceeds a double's range. */
function asDouble(text: string): string {
  const double = Number(text);
  return Number.isFinite(double) ? String(double) : text;
}

function sameNumber(a: string, b: string): boolean {
  return decimalOf(a) === decimalOf(b);
}

/** A number that a double doesn't represent exactly. */
export interface RoundedNumber {
  /** JSON Pointer. */
  readonly pointer: string;
  /** What a server that reads doubles returns instead; null if it can't return it at all. */
  readonly becomes: string | null;
}

/** The numbers that a server rounds to doubles, in the order of the text. @throws JsonTextError */
export function roundedNumbers(text: string): readonly RoundedNumber[] {
  return leavesOf(text).flatMap(({ pointer, text: leaf }): readonly RoundedNumber[] => {
    if (kindOf(leaf) !== 'number') return [];
    if (!Number.isFinite(Number(leaf))) return [{ pointer, becomes: null }];
    return sameNumber(leaf, asDouble(leaf)) ? [] : [{ pointer, becomes: asDouble(leaf) }];
  });
}

/** A value in a parsed text. */
type Place = readonly [text: string, node: JsonNode];
type SameNumber = (a: string, b: string) => boolean;

function sameNodes([a, left]: Place, [b, right]: Place, sameNumbers: SameNumber): boolean {
  if (left.members !== undefined && right.members !== undefined) {
    const [mine, theirs] = [new Map(left.members), new Map(right.members)];
    if (mine.size !== theirs.size) return false;
    for (const [key, node] of mine) {
      const other = theirs.get(key);
      if (other === undefined || !sameNodes([a, node], [b, other], sameNumbers)) return false;
    }
    return true;
  }
  if (left.items !== undefined && right.items !== undefined) {
    const theirs = right.items;
    if (left.items.length !== theirs.length) return false;
    return left.items.every((node, index) => {
      const other = theirs[index];
      return other !== undefined && sameNodes([a, node], [b, other], sameNumbers);
    });
  }
  const [mine, theirs] = [sliceOf(a, left), sliceOf(b, right)];
  if (mine === theirs) return true;
  const kind = kindOf(mine);
  if (kind !== kindOf(theirs)) return false;
  if (kind === 'string') return stringOf(mine) === stringOf(theirs);
  return kind === 'number' && sameNumbers(mine, theirs);
}

/** Most characters of an exponent that a double represents exactly. */
const exponentDigits = 15;

/** A canonical form of a number: sign, digits without zeros at either end, and the power of ten. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', written = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  let length = digits.length;
  while (digits[length - 1] === '0') length--;
  if (length === 0) return '0';
  const exponent = written.replace(/^([+-]?)0+(?=\d)/, '$1');
  // Such a number is out of any computer's range: it only equals its own text.
  if (exponent.length > exponentDigits) return text;
  const power = Number(exponent) - fraction.length + (digits.length - length);
  return `${sign}${digits.slice(0, length)}e${power}`;
}

/** A value without nested values, and its JSON Pointer (RFC 6901). */
export interface JsonLeaf {
  readonly pointer: string;
  readonly text: string;
}

/**
 * All values without nested values, including empty objects and arrays.
 * @throws JsonTextError if the text is not JSON
 */
export function leavesOf(text: string): readonly JsonLeaf[] {
  const leaves: JsonLeaf[] = [];
  const visit = (node: JsonNode, pointer: string): void => {
    const members: Iterable<readonly [string | number, JsonNode]> =
      node.members === undefined ? (node.items ?? []).entries() : new Map(node.members);
    let isEmpty = true;
    for (const [key, value] of members) {
      isEmpty = false;
      visit(value, `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
    if (isEmpty) leaves.push({ pointer, text: sliceOf(text, node) });
  };
  visit(parse(text), '');
  return leaves;
}

/**
 * The text with null for every value that is not an object with members; servers call this the subkeys of a secret. The
 * outermost object stays an object even if it is empty.
 * @throws JsonTextError if the text is not JSON
 */
export function structureOf(text: string): string {
  const shape = (node: JsonNode): string => {
    const members = [...new Map(node.members ?? [])];
    if (members.length === 0) return 'null';
    return objectText(members.map(([key, value]) => ({ key, text: shape(value) })));
  };
  const whole = parse(text);
  return whole.members?.length === 0 ? '{}' : shape(whole);
}

/**
 * Applies a JSON merge patch (RFC 7396) to a text; '' as the target means no value.
 * @throws JsonTextError if one is not JSON
 */
export function mergePatch(target: string, patch: string): string {
  const merge = (before: Place | undefined, after: JsonNode): string => {
    if (after.members === undefined) return sliceOf(patch, after);
    const merged = new Map<string, Place | string>();
    if (before !== undefined) {
      for (const [key, node] of before[1].members ?? []) merged.set(key, [before[0], node]);
    }
    for (const [key, node] of new Map(after.members)) {
      const old = merged.get(key);
      if (kindOf(sliceOf(patch, node)) === 'null') merged.delete(key);
      else merged.set(key, merge(typeof old === 'string' ? undefined : old, node));
    }
    return objectText(
      [...merged].map(([key, value]) => ({
        key,
        text: typeof value === 'string' ? value : sliceOf(...value),
      })),
    );
  };
  return merge(target === '' ? undefined : [target, parse(target)], parse(patch));
}

/** A value's position in the text, with its members or items. */
export interface JsonNode {
  readonly start: number;
  readonly end: number;
  /** For a member of an object: where its key begins. */
  readonly keyStart?: number;
  readonly members?: readonly (readonly [key: string, value: JsonNode])[];
  readonly items?: readonly JsonNode[];
}

/** A value's own text. */
export function sliceOf(text: string, { start, end }: JsonNode): string {
  return text.slice(start, end);
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;

/** The length of what follows a backslash; undefined if that isn't an escape. */
function escapedLength(text: string, at: number): 1 | 5 | undefined {
  const code = text.charCodeAt(at);
  if (code !== 0x75) return '"\\/bfnrt'.includes(text[at] ?? '-') ? 1 : undefined;
  for (let digit = at + 1; digit <= at + 4; digit++) {
    const hex = text.charCodeAt(digit);
    const isHex =
      (hex >= 0x30 && hex <= 0x39) || (hex >= 0x41 && hex <= 0x46) || (hex >= 0x61 && hex <= 0x66);
    if (!isHex) return undefined;
  }
  return 5;
}

/**
 * Parses a text to the positions of all its values.
 * @param most values in the text
 * @throws JsonTextError if the text is not one JSON value
 */
export function parse(text: string, most = Infinity): JsonNode {
  let at = 0;
  let values = 0;
  const error = (what: string): JsonTextError => new JsonTextError(what, text, at);
  const space = (): void => {
    while (' \t\n\r'.includes(text[at] ?? 'x')) at++;
  };
  const skip = (character: string): boolean => {
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  /** By character codes, because a text may consist of millions of escapes. */
  const string = (): string => {
    const start = at++;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) return text.slice(start, ++at);
      const escaped = code === 0x5c ? escapedLength(text, at + 1) : 0;
      if (code < 0x20 || escaped === undefined)
        throw error('A backslash or a control character in a string must be escaped');
      at += escaped;
    }
    throw error('A string in double quotes is not closed');
  };
  const value = (depth: number): JsonNode => {
    if (depth > nestingLimit) throw error(`The data is nested more than ${nestingLimit} levels deep`);
    if (++values > most) throw error(`The data has more than ${most.toLocaleString('en')} values`);
    space();
    const start = at;
    switch (text[at]) {
      case '{': {
        const members = object(depth);
        return { start, end: at, members };
      }
      case '[': {
        const items = array(depth);
        return { start, end: at, items };
      }
      case '"':
        string();
        return { start, end: at };
      default:
        if (!match(number) && !match(word)) throw error('A value is missing');
        return { start, end: at };
    }
  };
  const object = (depth: number): (readonly [string, JsonNode])[] => {
    const members: (readonly [string, JsonNode])[] = [];
    at++;
    space();
    if (skip('}')) return members;
    for (;;) {
      space();
      if (text[at] !== '"') throw error('A key in double quotes is missing');
      const keyStart = at;
      const key: unknown = JSON.parse(string());
      space();
      if (!skip(':')) throw error('A colon is missing after the key');
      members.push([String(key), { ...value(depth + 1), keyStart }]);
      space();
      if (skip('}')) return members;
      if (!skip(',')) throw error('A comma or a closing brace is missing');
    }
  };
  const array = (depth: number): JsonNode[] => {
    const items: JsonNode[] = [];
    at++;
    space();
    if (skip(']')) return items;
    for (;;) {
      items.push(value(depth + 1));
      space();
      if (skip(']')) return items;
      if (!skip(',')) throw error('A comma or a closing bracket is missing');
    }
  };
  const node = value(0);
  space();
  if (at < text.length) throw error('Unexpected text after the end');
  return node;
}
