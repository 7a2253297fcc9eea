import type { Organization } from '@gatehouse/api-types/console/box-organizations';
import { ErrorState } from '@gatehouse/ui/error-state';
import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { organizationsHref, ownerHref } from '#components/places/boxes.ts';
import { isApiError } from '#lib/api-error.ts';
import { usePolling } from '#lib/polling.ts';
import { boxAccountQuery, organizationPoll, organizationQuery } from '#queries/box-accounts.ts';
import { NotManaged } from '../-editing/NotManaged.tsx';
import { Loading } from '../BoxFrame.tsx';

/** What stands below the header of a page about an organization while it is not there. */
export function OrganizationFrame({
  environment,
  username,
  children,
  isEdited = false,
}: {
  environment: string;
  username: string;
  children: (organization: Organization) => ReactNode;
  /** An edit begins with what is stored now, and stays when the organization is gone. */
  isEdited?: boolean;
}) {
  const query = useQuery(organizationQuery(environment, username));
  const { data: account } = useQuery(boxAccountQuery(environment));
  usePolling(organizationPoll(environment, username), isEdited ? 15 : 30, query.isSuccess);
  const [begun, setBegun] = useState<Organization>();
  if (query.data !== undefined && query.data !== begun && (begun !== undefined || !query.isStale))
    setBegun(query.data);
  const shown = isEdited ? begun : query.data;
  if (shown !== undefined) return children(shown);
  if (account?.organizations === null) return <NotManaged environment={environment} what="organizations" />;
  if (!query.isError) return <Loading label="Loading the organization" />;
  const list = <LinkButton href={organizationsHref(environment)}>Go to the organizations</LinkButton>;
  if (isApiError(query.error, 'not-found')) {
    return (
      <ErrorState
        icon={SearchX}
        title={`There is no organization ${username}`}
        why="It does not exist or was deleted; or it is a person, not an organization."
        requestId={query.error.problem?.requestId}
        action={
          <>
            <LinkButton href={ownerHref(environment, username)}>Boxes of {username}</LinkButton>
            {list}
          </>
        }
      />
    );
  }
  return <Failure error={query.error} onRetry={() => void query.refetch()} action={list} />;
}
