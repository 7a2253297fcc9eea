import { isPrerelease } from '@gatehouse/api-types/console/module-values';
import type { Module } from '@gatehouse/api-types/console/modules';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { staleFirst, type ModuleConsumer } from '#components/downloads/consumer-order.ts';
import { counted } from '#lib/counted.ts';

/** Tokens to name before counting the rest. */
const mostNamed = 8;

/**
 * The effects of a version's deletion.
 * @param consumers null if the registry doesn't report them
 */
export function deleteImpacts(
  { versions, latest }: Pick<Module, 'versions' | 'latest'>,
  version: string,
  consumers: readonly ModuleConsumer[] | null,
): readonly Impact[] {
  const uses = staleFirst(consumers ?? []);
  const fetching = uses.filter((use) => use.version === version);
  const before = uses.filter(({ earlier }) => earlier.includes(version)).length;
  const others = fetching.length - mostNamed;
  const next = versions.find(
    (other) =>
      other.version !== version && other.deprecation?.state !== 'revoked' && !isPrerelease(other.version),
  );
  return [
    ...fetching.slice(0, mostNamed).map(({ token, owner }) => ({
      kind: 'breaks' as const,
      text: `The latest download by ${token || 'a token without a description'} of ${owner} is this version, which it can't download again.`,
    })),
    ...(others > 0
      ? [
          {
            kind: 'breaks' as const,
            text: `${counted(others, 'more token')} can't download it again either.`,
          },
        ]
      : []),
    ...(latest === version
      ? [
          {
            kind: 'breaks' as const,
            text:
              next === undefined
                ? 'This is the latest version, and no other version can take its place.'
                : `This is the latest version. ${next.version} takes its place.`,
          },
        ]
      : []),
    {
      kind: 'worth-knowing',
      text:
        consumers === null
          ? "The registry doesn't report who downloads this version."
          : fetching.length === 0
            ? "This version isn't the latest download of any token. Clients without a token are unknown."
            : 'Clients without a token may also download this version.',
    },
    ...(before > 0
      ? [
          {
            kind: 'worth-knowing' as const,
            text: `${counted(before, 'token')} downloaded this version earlier and another version since.`,
          },
        ]
      : []),
    {
      kind: 'worth-knowing',
      text: "The version's archive is also deleted, and its number can't be reused. This can't be undone.",
    },
  ];
}
