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

/** The parts of a pattern that have a size of their own, or change that of what comes before. */
const parts =
  /\\Q(?<quoted>[\s\S]*?)(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[pP]?[\s\S]|(?<class>\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\])|(?<flags>\(\?[a-zA-Z-]*\))|(?<open>\()|(?<close>\))|\{(?<least>\d+)(?:,(?<most>\d*))?\}|(?<optional>[*+?])|(?<or>\|)|[\s\S]/gu;

/**
 * How many instructions a pattern compiles to at most, without compiling it: `[a-z]{1,1000}` is a thousand times as
 * large as `[a-z]`, and to find that out by compiling may take seconds.
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
    // Flags are nothing by themselves: what repeats them repeats the part before them.
    if (found['flags'] !== undefined) continue;
    if (found['open'] !== undefined) {
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
