import { compareVersions } from '@gatehouse/api-types/console/box-values';
import type { Harm } from '@gatehouse/api-types/console/harm';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { gapsOf, type GridVersion } from './version-grid.ts';

/**
 * The harm of a release: none if clients find no version of the box.
 * @param harm that the operation declares
 * @param current as of `releaseImpacts`
 */
export function harmOfRelease(harm: Harm, current: string | null): Harm | undefined {
  return current === null ? undefined : harm;
}

/**
 * The effects of a release on the box's users.
 * @param current the highest released version; null if none
 */
export function releaseImpacts(
  version: GridVersion,
  versions: readonly GridVersion[],
  current: string | null,
): readonly Impact[] {
  const isNewest = current === null || compareVersions(current, version.version) <= 0;
  const { last, holes, empty } = gapsOf(version, versions);
  const listed = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);
  return [
    ...(holes.length > 0
      ? [
          {
            kind: 'breaks' as const,
            text: `Machines that use ${listed(holes)} won't get this version: version ${last ?? ''} has an image for them, and this one doesn't.`,
          },
        ]
      : []),
    ...(empty.length > 0
      ? [
          {
            kind: 'breaks' as const,
            text: `Clients that request ${listed(empty)} fail, because this version has no image for them yet.`,
          },
        ]
      : []),
    isNewest
      ? {
          kind: 'updates-itself' as const,
          text: "Clients that don't request a version get this one.",
        }
      : {
          kind: 'worth-knowing' as const,
          text: 'A higher version is already released, so clients get this one only if they request it.',
        },
    {
      kind: 'worth-knowing' as const,
      text: "This can't be undone. A released version can only be revoked or deleted.",
    },
  ];
}
