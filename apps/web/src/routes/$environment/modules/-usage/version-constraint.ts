/** Which versions a block accepts. */

/** `compatible`: up to the next breaking one; `patches`: the same minor version. */
export type ConstraintKind = 'compatible' | 'patches' | 'least' | 'exact';

const release = /^((0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*))(?:\+.*)?$/;

/**
 * What a version can be asked for by. One before a release, or whose number is not a semantic version, is found by clients
 * only where it is named exactly.
 */
export function constraintKinds(version: string): readonly ConstraintKind[] {
  const [, , major] = release.exec(version) ?? [];
  if (major === undefined) return ['exact'];
  return major === '0' ? ['compatible', 'least', 'exact'] : ['compatible', 'patches', 'least', 'exact'];
}

/** A constraint that the version itself always meets. */
export function constraintOf(version: string, kind: ConstraintKind): string {
  const [, number, major, minor, patch] = release.exec(version) ?? [];
  if (number === undefined || kind === 'exact') return version;
  if (kind === 'least') return `>= ${number}`;
  // Before 1.0.0 a minor version may break.
  if (kind === 'patches' || major === '0') return `~> ${number}`;
  const range = `~> ${String(major)}.${String(minor)}`;
  return patch === '0' ? range : `${range}, >= ${number}`;
}
