import { PolicyFault } from './policy-fault.ts';
import type { Position } from './policy-fault.ts';

/** A token of a policy's text. */
export interface Token {
  readonly kind: 'word' | 'string' | 'number' | 'mark' | 'end';
  /** The value of a string, or a word, mark or number as written. */
  readonly text: string;
  readonly at: Position;
}

const blank = /(?:[ \t\r\n\uFEFF]+|#[^\n]*|\/\/[^\n]*)+/y;
const word = /[\p{L}_][\p{L}\p{N}_.-]*/uy;
const number = /-?(?:0[xX][\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const heredocStart = /<<(-?)([\p{L}\p{N}_]+)\r?\n/uy;
const simpleEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const escapeLengths: Readonly<Record<string, number>> = { u: 4, U: 8, x: 2 };

/** Splits HCL or JSON into tokens; the last is `end`. @param most tokens before it @throws PolicyFault */
export function scan(text: string, most: number): Token[] {
  const tokens: Token[] = [];
  const positionOf = positions(text);
  let offset = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = offset;
    const found = pattern.exec(text) ?? undefined;
    if (found !== undefined) offset = pattern.lastIndex;
    return found;
  };
  const push = (kind: Token['kind'], value: string, start: number): void => {
    if (tokens.length === most && kind !== 'end')
      throw new PolicyFault(positionOf(start), `more than ${most} words and symbols`);
    tokens.push({ kind, text: value, at: positionOf(start) });
  };

  while (offset < text.length) {
    if (take(blank) !== undefined) continue;
    const start = offset;
    const first = text.charAt(start);
    if (text.startsWith('/*', start)) {
      const end = text.indexOf('*/', start + 2);
      if (end < 0) throw new PolicyFault(positionOf(start), 'comment not terminated');
      offset = end + 2;
      continue;
    }
    if (first === '"') {
      const { value, end } = scanString(text, start, positionOf);
      offset = end;
      push('string', value, start);
      continue;
    }
    if ('{}[],=:'.includes(first)) {
      offset += 1;
      push('mark', first, start);
      continue;
    }
    const heredoc = take(heredocStart);
    if (heredoc !== undefined) {
      const { value, end } = scanHeredoc(text, offset, heredoc[2] ?? '', heredoc[1] === '-');
      if (end === undefined) throw new PolicyFault(positionOf(start), 'heredoc not terminated');
      offset = end;
      push('string', value, start);
      continue;
    }
    const digits = take(number);
    if (digits !== undefined) {
      push('number', digits[0], start);
      continue;
    }
    const letters = take(word);
    if (letters === undefined) {
      const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
      throw new PolicyFault(positionOf(start), `illegal character ${JSON.stringify(character)}`);
    }
    push('word', letters[0], start);
  }
  push('end', '', text.length);
  return tokens;
}

/**
 * Returns a function that converts an offset to a position. The function is fast because successive offsets are close
 * together.
 */
function positions(text: string): (offset: number) => Position {
  const lineStarts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  let line = 0;
  return (offset) => {
    while (line > 0 && (lineStarts[line] ?? 0) > offset) line -= 1;
    while (line + 1 < lineStarts.length && (lineStarts[line + 1] ?? Infinity) <= offset) line += 1;
    return { line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 };
  };
}

function scanString(
  text: string,
  start: number,
  positionOf: (offset: number) => Position,
): { readonly value: string; readonly end: number } {
  let value = '';
  let offset = start + 1;
  for (;;) {
    const character = text[offset];
    if (character === undefined || character === '\n') {
      throw new PolicyFault(positionOf(start), 'literal not terminated');
    }
    if (character === '"') return { value, end: offset + 1 };
    if (character !== '\\') {
      value += character;
      offset += 1;
      continue;
    }
    const letter = text[offset + 1] ?? '';
    const simple = Object.hasOwn(simpleEscapes, letter) ? simpleEscapes[letter] : undefined;
    const length = Object.hasOwn(escapeLengths, letter) ? (escapeLengths[letter] ?? 0) : 0;
    const digits = text.slice(offset + 2, offset + 2 + length);
    if (simple !== undefined) {
      value += simple;
    } else if (length > 0 && digits.length === length && /^[\da-fA-F]+$/.test(digits)) {
      const code = Number.parseInt(digits, 16);
      if (code > 0x10_ffff) throw new PolicyFault(positionOf(offset), 'illegal char escape');
      // Four digits can be half of a surrogate pair; the next escape is then the other half.
      value += length === 4 ? String.fromCharCode(code) : String.fromCodePoint(code);
    } else {
      throw new PolicyFault(positionOf(offset), 'illegal char escape');
    }
    offset += 2 + length;
  }
}

function scanHeredoc(
  text: string,
  start: number,
  marker: string,
  indented: boolean,
): { readonly value: string; readonly end: number | undefined } {
  const lines: string[] = [];
  let offset = start;
  while (offset < text.length) {
    const newline = text.indexOf('\n', offset);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(offset, end).replace(/\r$/, '');
    if (line.trim() === marker) {
      const cut = indented ? commonIndent(lines) : 0;
      return { value: lines.map((each) => `${each.slice(cut)}\n`).join(''), end };
    }
    lines.push(line);
    offset = end + 1;
  }
  return { value: '', end: undefined };
}

/** The number of blanks that all lines start with. */
function commonIndent(lines: readonly string[]): number {
  let least = Infinity;
  for (const line of lines) least = Math.min(least, line.search(/\S|$/));
  return least;
}
