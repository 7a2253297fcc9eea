import type { Organization } from '@gatehouse/api-types/console/box-organizations';
import { ErrorState } from '@gatehouse/ui/error-state';
import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { organizationsHref, ownerHref } from '#components/places/boxes.ts';
import { ForgetFavorite } from '#components/record/ForgetFavorite.tsx';
import { useEdited } from '#components/record/use-edited.ts';
import { Waiting } from '#components/record/Waiting.tsx';
import { isApiError } from '#lib/api-error.ts';
import { usePolling } from '#lib/polling.ts';
import { boxAccountQuery, organizations } from '#queries/box-accounts.ts';
import { recordQuery } from '#queries/record-life.ts';
import { NotManaged } from '../-editing/NotManaged.tsx';

/** Shows loading and errors below the header of an organization's page, and its content once it is loaded. */
export function OrganizationFrame({
  environment,
  username,
  children,
  isEdited = false,
}: {
  environment: string;
  username: string;
  children: (organization: Organization) => ReactNode;
  /** Starts from the current organization, and keeps it if it is deleted. */
  isEdited?: boolean;
}) {
  const query = useQuery(recordQuery(organizations, environment, username));
  const { data: account } = useQuery(boxAccountQuery(environment));
  usePolling(recordQuery(organizations, environment, username), isEdited ? 15 : 30, query.isSuccess);
  const edited = useEdited(query);
  const shown = isEdited ? edited : query.data;
  if (shown !== undefined) return children(shown);
  if (account?.organizations === null) return <NotManaged environment={environment} what="organizations" />;
  const list = <LinkButton href={organizationsHref(environment)}>Go to organizations</LinkButton>;
  if (isApiError(query.error, 'not-found')) {
    return (
      <ErrorState
        icon={SearchX}
        title={`Organization ${username} not found`}
        why="It doesn't exist, was deleted, or is a user, not an organization."
        requestId={query.error.problem?.requestId}
        action={
          <>
            <LinkButton href={ownerHref(environment, username)}>Boxes of {username}</LinkButton>
            {list}
            <ForgetFavorite />
          </>
        }
      />
    );
  }
  return <Waiting query={query} label="Loading the organization" action={list} />;
}
