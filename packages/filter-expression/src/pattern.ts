import { RE2JS } from 're2js';
import type { LinearPattern } from './expression.ts';

/**
 * Compiles a pattern in the syntax of Go's regexp. Matching takes linear time: at most the pattern's size times the
 * text's length.
 * @throws if the pattern is invalid
 */
export function compilePattern(source: string): LinearPattern {
  const pattern = RE2JS.compile(source);
  return { size: pattern.programSize(), test: (text) => pattern.matcher(text).find() };
}

/**
 * A character in a class, plain or escaped. Numeric escapes match as a whole: in `[\x41-\x42-[:alpha:]]` the second "-"
 * starts no range.
 */
const inClass = String.raw`(?:\\x\{[^}\\]*\}|\\x[\dA-Fa-f]{2}|\\[0-7]{1,3}|\\[\s\S]|[^\]\\])`;

/**
 * A class, ending where the engine ends it: in "[A-[:x:]" the second "[" ends a range, so the first "]" closes the
 * class. An unclosed class extends to the end of the pattern, so that no alternative is tried.
 */
const aClass = String.raw`\[\^?(?:\](?:-${inClass})?)?(?:\[:\^?\w+:\]|\\[pP](?:\{[^}\\]*\}|[\s\S])|\\[dDsSwW]|${inClass}(?:-${inClass})?)*(?:\]|\\?$)`;

/** The parts of a pattern that add to its size or change the size of the previous part. */
const parts = new RegExp(
  String.raw`\\Q(?<quoted>[\s\S]*?)(?:\\E|$)|\\[pPx]\{[^}\\]*\}|\\[pP]?[\s\S]|${aClass}|(?<flags>\(\?[a-zA-Z-]*\))|(?<open>\()|(?<close>\))|\{(?<least>\d+)(?:,(?<most>\d*))?\}|(?<optional>[*+?])|(?<or>\|)|[\s\S]`,
  'gu',
);

/** Deepest nesting of groups. Each group copies the ranges of a class that is its only content. */
const maxGroups = 100;

/**
 * An upper bound for the number of instructions that a pattern compiles to, without compiling it: `[a-z]{1,1000}` is a
 * thousand times as large as `[a-z]`, and compiling it may take seconds. Infinity if groups are nested too deeply.
 */
export function largestProgram(source: string): number {
  /** Instructions before each open group, before the last part, and of the last part, which a repetition repeats. */
  const outer: number[] = [];
  let before = 3;
  let last = 0;
  const add = (size: number): void => {
    before += last;
    last = size;
  };
  for (const { groups: found = {} } of source.matchAll(parts)) {
    // Flags and an empty quote are no parts: a repetition after them repeats the part before them.
    if (found['flags'] !== undefined || found['quoted'] === '') continue;
    if (found['open'] !== undefined) {
      if (outer.length === maxGroups) return Infinity;
      outer.push(before + last);
      before = 3;
      last = 0;
    } else if (found['close'] !== undefined) {
      last += before;
      before = outer.pop() ?? 3;
    } else if (found['least'] !== undefined) {
      last = (last + 1) * Math.max(1, Number(found['least']), Number(found['most'] ?? 0)) + 1;
    } else if (found['optional'] !== undefined) last += 2;
    else if (found['quoted'] !== undefined) add(found['quoted'].length);
    // An empty alternative also takes an instruction.
    else if (found['or'] !== undefined) add(2);
    else add(1);
  }
  return outer.reduce((sum, size) => sum + size, before + last);
}

/** A range in a class with an end beyond ASCII. Its start is only captured if it is beyond ASCII too. */
const wideRange = /(?<from>[^\0-\x7f])?-(?:\\x\{(?<hex>[0-9a-f]+)|(?<to>[^\0-\x7f]))/giu;

/** The last character with an upper and a lower case. */
const lastFold = 0x1e943;

/** Characters of a case-insensitive range that take as long as one `\p`, because they are processed one by one. */
const rangeWork = 7000;

/**
 * An upper bound for the time to compile a pattern's classes, without compiling them; 1 is the time of a `\p`, about
 * 0.2 ms. Unlike instructions, repeated classes are only compiled once.
 */
export function workOfClasses(source: string): number {
  let work = source.match(/\\p/gi)?.length ?? 0;
  if (!/\(\?[imsU-]*i/.test(source)) return work;
  for (const { groups: found = {} } of source.matchAll(wideRange)) {
    const to = found['to']?.codePointAt(0) ?? Number.parseInt(found['hex'] ?? '', 16);
    work += Math.max(0, Math.min(to, lastFold) - (found['from']?.codePointAt(0) ?? 0)) / rangeWork;
  }
  return work;
}
