import { isPrerelease } from '@gatehouse/api-types/console/module-values';
import type { Module } from '@gatehouse/api-types/console/modules';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { counted } from '#lib/counted.ts';
import { staleFirst, type ModuleConsumer } from '#routes/$environment/modules/-adoption/consumer-order.ts';

/** Tokens that are named before the rest is counted. */
const mostNamed = 8;

/**
 * What the deletion of a version does to others.
 * @param consumers null where the registry does not tell
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
      text: `${token || 'A token without a description'} of ${owner} downloaded this version last and can't download it again.`,
    })),
    ...(others > 0 ? [{ kind: 'breaks' as const, text: `Nor can ${counted(others, 'more token')}.` }] : []),
    ...(latest === version
      ? [
          {
            kind: 'breaks' as const,
            text:
              next === undefined
                ? 'It is the latest version, and no other version can take its place.'
                : `It is the latest version. ${next.version} takes its place.`,
          },
        ]
      : []),
    {
      kind: 'worth-knowing',
      text:
        consumers === null
          ? "The registry doesn't report who downloads it."
          : fetching.length === 0
            ? 'No token has it as its latest download. Clients without a token are unknown.'
            : 'Clients without a token may download it too.',
    },
    ...(before > 0
      ? [
          {
            kind: 'worth-knowing' as const,
            text: `${counted(before, 'token')} downloaded it earlier, and another version since.`,
          },
        ]
      : []),
    {
      kind: 'worth-knowing',
      text: "Its archive is deleted too, and its number can't be reused. This can't be undone.",
    },
  ];
}
