/** Which number a new version is likely to get, by what it changes. */
import {
  compareModuleVersions,
  isPrerelease,
  semanticVersion,
} from '@gatehouse/api-types/console/module-values';
import type { Module } from '@gatehouse/api-types/console/modules';
import type { Verdict } from '#routes/$environment/modules/-upgrade/compare-content.ts';

export interface VersionSuggestion {
  readonly version: string;
  /** What a number such as this one says: `Breaking`. */
  readonly word: string;
}

const words: Readonly<Record<Verdict, string>> = {
  breaking: 'Breaking',
  additive: 'Additive',
  none: 'Patch',
};

/** The next numbers after one, or the first ones; the one that fits the verdict first. */
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
  // What follows a version before a release is that release.
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

/** The version that a new one is compared with: the newest that is older; before a number is known the latest. */
export function versionBefore(
  { versions, latest }: Pick<Module, 'versions' | 'latest'>,
  number = '',
): string | undefined {
  const usable = versions.filter(({ deprecation }) => deprecation?.state !== 'revoked');
  const newest = latest ?? usable[0]?.version ?? versions[0]?.version;
  if (!semanticVersion.test(number)) return newest;
  const older = usable.filter(({ version }) => compareModuleVersions(version, number) < 0);
  // Versions before a release are compared with only where there is no release.
  return (older.find(({ version }) => !isPrerelease(version)) ?? older[0])?.version ?? newest;
}
