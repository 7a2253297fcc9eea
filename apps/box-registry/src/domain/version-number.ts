/** The longest version number, in characters. */
export const maxVersionNumber = 128;

const form = /^[0-9]+(?:\.[0-9a-zA-Z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** Whether Vagrant can parse a version number. A single invalid number makes the whole box unreadable for it. */
export function isVersionNumber(text: string): boolean {
  return text.length <= maxVersionNumber && form.test(text);
}

/**
 * Compares version numbers: negative if `one` comes first. `1.0.0-beta` < `1.0.0.pre1` < `1.0.0` < `1.10`. Source:
 * the order of `Gem::Version`, which Vagrant uses to choose among the versions of a box.
 */
export function compareVersionNumbers(one: string, other: string): number {
  return compareParsed(segmentsOf(one), segmentsOf(other));
}

/** Sorts by version number, newest first. Parses each number only once, unlike `compareVersionNumbers`. */
export function newestFirst<Numbered extends { readonly version: string }>(
  numbered: readonly Numbered[],
): Numbered[] {
  return numbered
    .map((one) => ({ one, segments: segmentsOf(one.version) }))
    .toSorted((one, other) => compareParsed(other.segments, one.segments))
    .map(({ one }) => one);
}

function compareParsed(left: readonly string[], right: readonly string[]): number {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at++) {
    const order = compareSegments(left[at] ?? '0', right[at] ?? '0');
    if (order !== 0) return order;
  }
  // The additional segments decide: a word makes the version earlier (1.0.a < 1.0), a number other than zero makes it
  // later.
  for (const segment of left.slice(shorter)) {
    if (segment !== '0') return isNumber(segment) ? 1 : -1;
  }
  for (const segment of right.slice(shorter)) {
    if (segment !== '0') return isNumber(segment) ? -1 : 1;
  }
  return 0;
}

/** Whether clients treat a version as a prerelease: its number has a letter. */
export function isPrerelease(number: string): boolean {
  return /[a-zA-Z-]/.test(number);
}

/**
 * Splits a number into runs of digits and runs of letters, without the trailing zeros of the part before the first
 * word and of the rest.
 */
function segmentsOf(number: string): string[] {
  const all = (number.replaceAll('-', '.pre.').match(/[0-9]+|[a-zA-Z]+/g) ?? []).map((segment) =>
    isNumber(segment) ? segment.replace(/^0+(?=[0-9])/, '') : segment,
  );
  const word = all.findIndex((segment) => !isNumber(segment));
  const cut = word === -1 ? all.length : word;
  return [...withoutZerosAtEnd(all.slice(0, cut)), ...withoutZerosAtEnd(all.slice(cut))];
}

function withoutZerosAtEnd(segments: readonly string[]): readonly string[] {
  return segments.slice(0, segments.findLastIndex((segment) => segment !== '0') + 1);
}

function isNumber(segment: string): boolean {
  return /^[0-9]/.test(segment);
}

function compareSegments(one: string, other: string): number {
  if (one === other) return 0;
  if (isNumber(one) !== isNumber(other)) return isNumber(one) ? 1 : -1;
  // Numbers have no leading zeros, so the longer one is greater, whatever its length.
  if (isNumber(one) && one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : 1;
}
