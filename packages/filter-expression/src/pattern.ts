import { RE2JS } from 're2js';
import type { LinearPattern } from './expression.ts';

/**
 * Compiles a pattern of the engine of Go's regexp, in syntax and in time: it can't hold up the service for longer than
 * its size times the length of the text.
 * @throws when it isn't valid
 */
export function compilePattern(source: string): LinearPattern {
  const pattern = RE2JS.compile(source);
  return { size: pattern.programSize(), test: (text) => pattern.matcher(text).find() };
}

/**
 * A character of a class, as it is or escaped. One by its number is read whole: in `[\x41-\x42-[:alpha:]]` the second
 * "-" begins no range.
 */
const inClass = String.raw`(?:\\x\{[^}\\]*\}|\\x[\dA-Fa-f]{2}|\\[0-7]{1,3}|\\[\s\S]|[^\]\\])`;

/**
 * A class that ends where the engine ends it: in "[A-[:x:]" the second "[" is the end of a range, so the first "]" is
 * that of the class. One without an end goes to the end of the pattern: no second way to read it is tried.
 */
const aClass = String.raw`\[\^?(?:\](?:-${inClass})?)?(?:\[:\^?\w+:\]|\\[pP](?:\{[^}\\]*\}|[\s\S])|\\[dDsSwW]|${inClass}(?:-${inClass})?)*(?:\]|\\?$)`;

/** The parts of a pattern that have a size of their own, or change that of what comes before. */
const parts = new RegExp(
  String.raw`\\Q(?<quoted>[\s\S]*?)(?:\\E|$)|\\[pPx]\{[^}\\]*\}|\\[pP]?[\s\S]|${aClass}|(?<flags>\(\?[a-zA-Z-]*\))|(?<open>\()|(?<close>\))|\{(?<least>\d+)(?:,(?<most>\d*))?\}|(?<optional>[*+?])|(?<or>\|)|[\s\S]`,
  'gu',
);

/** Deepest nesting of groups: each copies the ranges of a class that is all it holds. */
const maxGroups = 100;

/**
 * How many instructions a pattern compiles to at most, without compiling it: `[a-z]{1,1000}` is a thousand times as
 * large as `[a-z]`, and to find that out by compiling may take seconds. Infinity for one whose groups are too deep.
 */
export function largestProgram(source: string): number {
  /** Instructions before each group that is open, before the last part, and of the part that a repetition repeats. */
  const outer: number[] = [];
  let before = 3;
  let last = 0;
  const add = (size: number): void => {
    before += last;
    last = size;
  };
  for (const { groups: found = {} } of source.matchAll(parts)) {
    // Flags and an empty quote are nothing by themselves: what repeats them repeats the part before them.
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
    // An alternative may be empty, which is an instruction too.
    else if (found['or'] !== undefined) add(2);
    else add(1);
  }
  return outer.reduce((sum, size) => sum + size, before + last);
}

/** A range of a class whose end is beyond ASCII. What it begins with counts only where it is beyond ASCII as well. */
const wideRange = /(?<from>[^\0-\x7f])?-(?:\\x\{(?<hex>[0-9a-f]+)|(?<to>[^\0-\x7f]))/giu;

/** The last character that has another case. */
const lastFold = 0x1e943;

/** Characters of a range, where case is ignored, that take as long as one `\p`: they are looked at one by one. */
const rangeWork = 7000;

/**
 * How long the classes of a pattern take to compile at most, without compiling them: 1 is a `\p`, some 0.2 ms. Unlike
 * instructions they are compiled once, however often they are repeated.
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
