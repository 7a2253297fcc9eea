/** The numbers of a version have at most 15 digits. */
const form =
  /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?$/;

/**
 * Normalizes a version: `1.2`, `1.2.0` and `v1.2.0` all become `v1.2.0`.
 * @returns undefined if the text is no semantic version
 */
export function canonicalVersion(text: string): string | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, major, minor, patch, before, metadata] = match;
  const numbers = [major, minor, patch].map((number) => String(Number(number ?? 0)));
  return `v${numbers.join('.')}${before === undefined ? '' : `-${before}`}${metadata === undefined ? '' : `+${metadata}`}`;
}

/** Whether a canonical version's metadata marks a built-in plugin. */
export function saysBuiltin(version: string): boolean {
  const [, metadata = ''] = version.split('+');
  return metadata.split('.').includes('builtin');
}

/** Compares canonical versions by precedence, then by metadata; an empty version sorts first. */
export function compareVersions(one: string, other: string): number {
  const ours = form.exec(one);
  const theirs = form.exec(other);
  if (ours === null || theirs === null) return Number(ours !== null) - Number(theirs !== null);
  for (const at of [1, 2, 3]) {
    const difference = Number(ours[at]) - Number(theirs[at]);
    if (difference !== 0) return difference;
  }
  return comparePreReleases(ours[4], theirs[4]) || compareTexts(ours[5] ?? '', theirs[5] ?? '');
}

/** A release sorts after its pre-releases. */
function comparePreReleases(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined)
    return Number(one === undefined) - Number(other === undefined);
  const ours = one.split('.');
  const theirs = other.split('.');
  for (const [index, ourPart] of ours.entries()) {
    const theirPart = theirs[index];
    if (theirPart === undefined) return 1;
    const difference = compareParts(ourPart, theirPart);
    if (difference !== 0) return difference;
  }
  return ours.length - theirs.length;
}

/** Numbers sort before words. */
function compareParts(one: string, other: string): number {
  const numbers = [one, other].map((part) => /^\d+$/.test(part));
  if (numbers[0] === true && numbers[1] === true) return Number(one) - Number(other);
  if (numbers[0] !== numbers[1]) return numbers[0] === true ? -1 : 1;
  return compareTexts(one, other);
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
