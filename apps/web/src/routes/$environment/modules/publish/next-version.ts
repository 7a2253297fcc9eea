/** Suggests a new version's number, based on its changes. */
import {
  compareModuleVersions,
  isPrerelease,
  semanticVersion,
  withoutBuild,
} from '@gatehouse/api-types/console/module-values';
import type { Module } from '@gatehouse/api-types/console/modules';
import { breakingWords } from '#routes/$environment/modules/-upgrade/breaking-words.ts';
import type { ContentComparison, Verdict } from '#routes/$environment/modules/-upgrade/compare-content.ts';
import { allowsNewer } from '#routes/$environment/modules/-usage/version-constraint.ts';

export interface VersionSuggestion {
  readonly version: string;
  /** The meaning of such a number: `Breaking`. */
  readonly word: string;
}

const words: Readonly<Record<Verdict, string>> = {
  breaking: 'Breaking',
  additive: 'Additive',
  none: 'Patch',
};

/** The possible numbers after a version, or first numbers; the one that fits the verdict comes first. */
export function suggestedVersions(
  previous: string | undefined,
  verdict: Verdict | undefined,
): readonly VersionSuggestion[] {
  if (previous === undefined) {
    return [
      { version: '1.0.0', word: 'Stable' },
      { version: '0.1.0', word: 'Initial development' },
    ];
  }
  const [, major, minor, patch, before] =
    /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})(-[^+]+)?(?:\+.*)?$/.exec(previous) ?? [];
  if (major === undefined) return [];
  const [a, b, c] = [Number(major), Number(minor), Number(patch)];
  // A pre-release is followed by its release.
  if (before !== undefined) return [{ version: `${a}.${b}.${c}`, word: 'Release' }];
  const numbers = {
    none: `${a}.${b}.${c + 1}`,
    additive: `${a}.${b + 1}.0`,
    breaking: `${a + 1}.0.0`,
  };
  const order: readonly Verdict[] = ['none', 'additive', 'breaking'];
  return order
    .toSorted((one, other) => Number(other === verdict) - Number(one === verdict))
    .map((kind) => ({ version: numbers[kind], word: words[kind] }));
}

/** The version to compare a new one with: the newest older one, or the latest before a number is entered. */
export function versionBefore(
  { versions, latest }: Pick<Module, 'versions' | 'latest'>,
  number = '',
): string | undefined {
  const usable = versions.filter(({ deprecation }) => deprecation?.state !== 'revoked');
  const newest = latest ?? usable[0]?.version ?? versions[0]?.version;
  if (!semanticVersion.test(number)) return newest;
  const older = usable.filter(({ version }) => compareModuleVersions(version, number) < 0);
  // Pre-releases are used only if no release exists.
  return (older.find(({ version }) => !isPrerelease(version)) ?? older[0])?.version ?? newest;
}

/** A breaking version that callers get without choosing it. */
export interface SilentBreak {
  readonly title: string;
  readonly detail: string;
  /** The next free number that such a constraint doesn't allow. */
  readonly instead: string;
}

/**
 * What to say about a version that breaks its callers, although its number says that it doesn't.
 * @param before the version that it was compared with
 * @param versions the published versions, revoked ones too
 */
export function silentBreak(
  before: string,
  version: string,
  comparison: Pick<ContentComparison, 'verdict' | 'folders'>,
  versions: Module['versions'],
): SilentBreak | undefined {
  if (comparison.verdict !== 'breaking' || !allowsNewer(before, 'compatible', version)) return undefined;
  const [major = '0', minor = '0', patch = '0'] = before.split('.');
  const range = major === '0' ? `~> 0.${minor}.${Number.parseInt(patch, 10)}` : `~> ${major}.${minor}`;
  let instead: string;
  let number = Number(major === '0' ? minor : major);
  do {
    number += 1;
    instead = major === '0' ? `0.${number}.0` : `${number}.0.0`;
  } while (versions.some((published) => withoutBuild(published.version) === instead));
  return {
    title: `${version} breaks callers with ${range}`,
    detail: `Compared with ${before}: ${breakingWords(comparison)}. As ${instead}, it reaches only callers who opt in.`,
    instead,
  };
}
