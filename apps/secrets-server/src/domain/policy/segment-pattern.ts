/** A path pattern with `+` for whole segments and an optional trailing `*`. */
export interface SegmentPattern {
  /** Without the `*`. */
  readonly text: string;
  readonly segments: readonly string[];
  /** The offset of the first `+` or `*`. */
  readonly firstWildcard: number;
  /** Whether the pattern ends in `*`. */
  readonly isPrefix: boolean;
  /** The number of `+` segments. */
  readonly wildcards: number;
}

export function readSegmentPattern(pattern: string): SegmentPattern {
  const isPrefix = pattern.endsWith('*');
  const text = isPrefix ? pattern.slice(0, -1) : pattern;
  const segments = text.split('/');
  const plus = text.indexOf('+');
  return {
    text,
    segments,
    firstWildcard: plus < 0 ? text.length : plus,
    isPrefix,
    wildcards: segments.filter((segment) => segment === '+').length,
  };
}

/** Whether a pattern matches a path, which is split at slashes. */
export function matchesSegments(pattern: SegmentPattern, path: readonly string[]): boolean {
  const { segments, isPrefix } = pattern;
  const last = segments.length - 1;
  if (isPrefix ? path.length <= last : path.length !== segments.length) return false;
  for (let position = 0; position <= last; position += 1) {
    const segment = segments[position] ?? '';
    if (segment === '+' || segment === path[position]) continue;
    if (isPrefix && position === last && path[position]?.startsWith(segment) === true) continue;
    return false;
  }
  return true;
}

/** Whether a pattern can match a path below a folder, which is split at slashes. */
export function reachesBelow(pattern: SegmentPattern, folder: readonly string[]): boolean {
  const { segments, isPrefix } = pattern;
  for (const [position, given] of folder.entries()) {
    const segment = segments[position];
    if (segment === undefined) return isPrefix;
    if (segment === '+' || segment === given) continue;
    return isPrefix && position === segments.length - 1 && given.startsWith(segment);
  }
  return segments.length > folder.length || isPrefix;
}
