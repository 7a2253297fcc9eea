/** Format and order of module versions, without the schemas, which lists don't need. */

const numeric = '(?:0|[1-9][0-9]*)';
const word = `(?:${numeric}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`;

/** A semantic version: three numbers, optional prerelease, optional build metadata (`+…`). */
export const semanticVersion = new RegExp(
  `^${numeric}\\.${numeric}\\.${numeric}(?:-${word}(?:\\.${word})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/** Whether a version is a prerelease, which clients only use when they name it. */
export function isPrerelease(version: string): boolean {
  return partsOf(version).words.length > 0;
}

/** Compares semantic versions: negative if `one` comes first. Source: semver.org 2.0.0, item 11. */
export function compareModuleVersions(one: string, other: string): number {
  return compareParts(partsOf(one), partsOf(other));
}

/** Sorts by version, the newest first. Reads each number once, because a registry may list thousands. */
export function newestModuleFirst<Item extends { readonly version: string }>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, parts: partsOf(item.version) }))
    .sort((one, other) => compareParts(other.parts, one.parts))
    .map(({ item }) => item);
}

/**
 * Whether a version may break what works with an earlier one: the major version is higher, or the minor version while
 * the major version is 0. Source: semver.org 2.0.0, items 4 and 8.
 */
export function isBreaking(from: string, to: string): boolean {
  const [before, after] = [partsOf(from).numbers, partsOf(to).numbers];
  const kept = after[0] === '0' ? 2 : 1;
  return (
    compareModuleVersions(from, to) < 0 && before.slice(0, kept).join('.') !== after.slice(0, kept).join('.')
  );
}

function compareParts(left: VersionParts, right: VersionParts): number {
  for (let at = 0; at < Math.max(left.numbers.length, right.numbers.length); at++) {
    const order = compareWords(left.numbers[at] ?? '0', right.numbers[at] ?? '0');
    if (order !== 0) return order;
  }
  if (left.words.length === 0 || right.words.length === 0) return right.words.length - left.words.length;
  for (const [at, word] of left.words.entries()) {
    const against = right.words[at];
    if (against === undefined) return 1;
    const order = compareWords(word, against);
    if (order !== 0) return order;
  }
  return left.words.length - right.words.length;
}

/** A version without its build metadata (`+…`), which neither clients nor the order distinguish. */
export function withoutBuild(version: string): string {
  return version.replace(/\+.*/, '');
}

interface VersionParts {
  readonly numbers: readonly string[];
  readonly words: readonly string[];
}

/** Some registries prefix the version with `v`. */
function partsOf(version: string): VersionParts {
  const text = withoutBuild(version.replace(/^v/, ''));
  const cut = text.indexOf('-');
  return {
    numbers: (cut === -1 ? text : text.slice(0, cut)).split('.'),
    words: cut === -1 ? [] : text.slice(cut + 1).split('.'),
  };
}

/** Numbers of any length by value, and before words; words by their characters. */
function compareWords(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^[0-9]+$/.test(one), /^[0-9]+$/.test(other)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (isNumber && one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : one > other ? 1 : 0;
}
