import type { Box } from '@gatehouse/api-types/console/boxes';
import { ErrorState } from '@gatehouse/ui/error-state';
import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { Lock, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { boxHref, boxesHref, ownerHref } from '#components/places/boxes.ts';
import { ForgetFavorite } from '#components/record/ForgetFavorite.tsx';
import { useEdited } from '#components/record/use-edited.ts';
import { Waiting } from '#components/record/Waiting.tsx';
import { isApiError } from '#lib/api-error.ts';
import { usePolling } from '#lib/polling.ts';
import { boxQuery, type BoxPlace } from '#queries/boxes.ts';

/** Shows loading and errors below the header of a box's page, and its content once the box is loaded. */
export function BoxFrame({
  place,
  children,
  isEdited = false,
}: {
  place: BoxPlace;
  children: (box: Box) => ReactNode;
  /** Starts from the current box, and keeps it if it is deleted or renamed. */
  isEdited?: boolean;
}) {
  const query = useQuery(boxQuery(place));
  usePolling(boxQuery(place), isEdited ? 15 : 30, query.isSuccess);
  const edited = useEdited(query);
  const shown = isEdited ? edited : query.data;
  if (shown !== undefined) return children(shown);
  const list = <LinkButton href={boxesHref(place.environment)}>Search boxes</LinkButton>;
  if (isApiError(query.error, 'not-found')) {
    return (
      <ErrorState
        icon={SearchX}
        title={`Box ${place.username}/${place.name} not found`}
        why="It doesn't exist, was deleted or renamed, or is a private box that you have no access to. The registry doesn't report which."
        mend="Check the name. To get access to a private box, ask to become a member of the organization that owns it."
        requestId={query.error.problem?.requestId}
        action={
          <>
            <LinkButton href={ownerHref(place.environment, place.username)}>
              Boxes of {place.username}
            </LinkButton>
            {list}
            <ForgetFavorite />
          </>
        }
      />
    );
  }
  return <Waiting query={query} label="Loading the box" action={list} />;
}

/** Shown if the address names a version or provider that the box doesn't have. */
export function NotInBox({ place, what }: { place: BoxPlace; what: string }) {
  return (
    <ErrorState
      icon={SearchX}
      title={`${what.charAt(0).toUpperCase()}${what.slice(1)} not found`}
      why={`${place.username}/${place.name} doesn't have it: it never existed, or was deleted or renamed.`}
      action={<LinkButton href={boxHref(place, 'versions')}>Versions of the box</LinkButton>}
    />
  );
}

/** Shown if you don't have permission for a page. */
export function MayNot({ reason, href, label }: { reason: string; href: string; label: string }) {
  return (
    <ErrorState
      icon={Lock}
      title="Not allowed"
      why={reason}
      action={<LinkButton href={href}>{label}</LinkButton>}
    />
  );
}
