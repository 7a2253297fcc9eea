/** Version constraints for a block. */
import { compareModuleVersions, isBreaking } from '@gatehouse/api-types/console/module-values';

/** `compatible`: up to the next breaking version; `patches`: the same minor version. */
export type ConstraintKind = 'compatible' | 'patches' | 'least' | 'exact';

const release = /^((0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*))(?:\+.*)?$/;

/**
 * The possible constraints for a version. Clients find pre-releases and versions that aren't semantic only by their
 * exact number.
 */
export function constraintKinds(version: string): readonly ConstraintKind[] {
  const [, , major] = release.exec(version) ?? [];
  if (major === undefined) return ['exact'];
  return major === '0' ? ['compatible', 'least', 'exact'] : ['compatible', 'patches', 'least', 'exact'];
}

/** A constraint that the version itself always satisfies. */
export function constraintOf(version: string, kind: ConstraintKind): string {
  const [, number, major, minor, patch] = release.exec(version) ?? [];
  if (number === undefined || kind === 'exact') return version;
  if (kind === 'least') return `>= ${number}`;
  // Before 1.0.0, a minor version may be breaking.
  if (kind === 'patches' || major === '0') return `~> ${number}`;
  const range = `~> ${String(major)}.${String(minor)}`;
  return patch === '0' ? range : `${range}, >= ${number}`;
}

/** Whether a version's constraint also allows a newer version. */
export function allowsNewer(version: string, kind: ConstraintKind, newer: string): boolean {
  const [from, to] = [release.exec(version), release.exec(newer)];
  if (from === null || to === null || kind === 'exact' || compareModuleVersions(version, newer) >= 0)
    return false;
  if (kind === 'least') return true;
  return kind === 'patches' ? from[2] === to[2] && from[3] === to[3] : !isBreaking(version, newer);
}
