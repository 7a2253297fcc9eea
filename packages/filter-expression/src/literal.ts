import type { Literal } from './expression.ts';
import type { Scanner } from './scanner.ts';

/**
 * Parses a quoted string. Backticks keep their text unchanged; double quotes support Go's escapes but can't contain a
 * quote, as in go-bexpr.
 */
export function stringLiteral(scanner: Scanner): string | undefined {
  const start = scanner.at;
  const raw = scanner.takePattern(/`[^`]*`?/y, 'a value');
  if (raw !== undefined) {
    if (raw.length < 2 || !raw.endsWith('`')) scanner.fail("the string isn't closed", start);
    return raw.slice(1, -1).replaceAll('\r', '');
  }
  const quoted = scanner.takePattern(/"[^"]*"?/y, 'a value');
  if (quoted === undefined) return undefined;
  if (quoted.length < 2 || !quoted.endsWith('"')) scanner.fail("the string isn't closed", start);
  return unescape(quoted.slice(1, -1), (problem) => scanner.fail(problem, start));
}

/** A number, as written. */
export function numberLiteral(scanner: Scanner): string | undefined {
  return scanner.attempt(() => {
    const digits = scanner.takePattern(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?/y, 'a value');
    if (digits === undefined) return undefined;
    if (!/^(?:[ \t\r\n)}]|$)/.test(scanner.text.slice(scanner.at, scanner.at + 1))) {
      scanner.missed('the end of the number');
      return undefined;
    }
    return digits;
  });
}

/** Converts a literal to every type that it may be compared with. */
export function literalOf(value: string): Literal {
  return {
    value,
    number: /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined,
    truth: /^(?:1|t|T|TRUE|true|True)$/.test(value)
      ? true
      : /^(?:0|f|F|FALSE|false|False)$/.test(value)
        ? false
        : undefined,
  };
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

function unescape(text: string, fail: (problem: string) => never): string {
  if (text.includes('\n')) fail('a string in double quotes cannot span lines');
  return text.replace(
    /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0-7]{3})|([\s\S]?))/g,
    (_whole, byte?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      const hex = byte ?? short ?? long;
      if (hex !== undefined) return character(Number.parseInt(hex, 16), fail);
      if (octal !== undefined) return character(Number.parseInt(octal, 8), fail);
      return (
        simpleEscapes[letter ?? ''] ??
        fail(`"\\${letter ?? ''}" is not an escape sequence; use backticks for raw text`)
      );
    },
  );
}

function character(code: number, fail: (problem: string) => never): string {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return fail('an escape names no character');
  return String.fromCodePoint(code);
}
