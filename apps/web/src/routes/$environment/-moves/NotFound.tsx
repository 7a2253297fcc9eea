import type { Move } from '@gatehouse/api-types/console/moves';
import { Banner } from '@gatehouse/ui/banner';
import { LinkButton } from '@gatehouse/ui/link';
import { kindWords } from '#components/moves/move-kinds.ts';
import { hostOf } from '#components/moves/move-state.ts';
import { moveHref } from '#components/places/moves.ts';
import { counted } from '#lib/counted.ts';
import { namesNotFound } from './not-found.ts';

/** Names to show. */
const shownLimit = 20;

/** Names in the pasted list that matched nothing, which would otherwise go unnoticed: typos, and private ones. */
export function NotFound({ environment, move }: { environment: string; move: Move }) {
  const names = namesNotFound(move);
  const { kind, items, source } = move;
  const { one, many } = kindWords[kind];
  if (names.length === 0 && items.unread === 0) return null;
  const parts = [
    ...(names.length > 0 ? [`${counted(names.length, 'name')} not found`] : []),
    ...(items.unread > 0 ? [`${counted(items.unread, one, many)} couldn't be read`] : []),
  ];
  return (
    <Banner
      tone="warn"
      title={`${hostOf(source.address)}: ${parts.join(', ')}`}
      announce="none"
      {...(items.unread > 0 && {
        actions: (
          <LinkButton size={28} href={`${moveHref(environment, kind, move.id)}?show=failed`}>
            Show failed {many}
          </LinkButton>
        ),
      })}
    >
      {names.length > 0 && (
        <>
          Nothing found for{' '}
          <span className="font-mono wrap-anywhere">{names.slice(0, shownLimit).join(', ')}</span>
          {names.length > shownLimit && ` and ${(names.length - shownLimit).toLocaleString('en')} more`}.{' '}
        </>
      )}
      {names.length > 0
        ? 'Check the spelling, and the token if the names are private. Then start another move for them.'
        : `To retry the ${many} that couldn't be read, compare again.`}
    </Banner>
  );
}
