/** The longest version number, in characters. */
const maxVersionNumber = 128;

const numeric = '(?:0|[1-9][0-9]*)';
const word = `(?:${numeric}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)`;
const form = new RegExp(
  `^${numeric}\\.${numeric}\\.${numeric}(?:-${word}(?:\\.${word})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

/** Whether a text is a semantic version, such as `1.2.0`, `1.2.0-beta.1` or `1.2.0+build.5`. */
export function isVersionNumber(text: string): boolean {
  return text.length <= maxVersionNumber && form.test(text);
}

/** Whether a version is a prerelease, which clients use only when it is named exactly. */
export function isPrerelease(version: string): boolean {
  return withoutBuild(version).includes('-');
}

/** A version without its build metadata (`+…`). Clients, and the order, don't distinguish versions by it. */
export function withoutBuild(version: string): string {
  return version.replace(/\+.*/, '');
}

/** Compares semantic versions: negative if `one` comes first. Source: semver.org 2.0.0, item 11. */
export function compareVersions(one: string, other: string): number {
  return compareParts(partsOf(one), partsOf(other));
}

/** Sorts versions, oldest first. Reads each only once. */
export function oldestFirst(versions: Iterable<string>): string[] {
  return Array.from(versions, (version) => ({ version, parts: partsOf(version) }))
    .sort((one, other) => compareParts(one.parts, other.parts))
    .map(({ version }) => version);
}

function compareParts(left: Parts, right: Parts): number {
  for (const [at, number] of left.numbers.entries()) {
    const order = compareWords(number, right.numbers[at] ?? '0');
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

/** The newest release, or the newest prerelease if there is no release; undefined if there are no versions. */
export function newestOf(versions: readonly string[]): string | undefined {
  const releases = versions.filter((version) => !isPrerelease(version));
  return oldestFirst(releases.length > 0 ? releases : versions).at(-1);
}

interface Parts {
  readonly numbers: readonly string[];
  readonly words: readonly string[];
}

function partsOf(version: string): Parts {
  const text = withoutBuild(version);
  const cut = text.indexOf('-');
  return {
    numbers: (cut === -1 ? text : text.slice(0, cut)).split('.'),
    words: cut === -1 ? [] : text.slice(cut + 1).split('.'),
  };
}

/** Compares numbers by value, whatever their length, and before words; compares words by their characters. */
function compareWords(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^[0-9]+$/.test(one), /^[0-9]+$/.test(other)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (isNumber && one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : one > other ? 1 : 0;
}
