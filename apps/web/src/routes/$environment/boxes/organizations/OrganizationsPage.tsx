import type { GridColumn } from '@gatehouse/ui/data-grid';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import { useMemo } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { ListPage } from '#components/list/ListPage.tsx';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useWholeList } from '#components/list/use-whole-list.ts';
import { boxesHref, newOrganizationHref, organizationHref } from '#components/places/boxes.ts';
import { isApiError } from '#lib/api-error.ts';
import { queryClient } from '#lib/query-client.ts';
import { listSearch } from '#lib/search.ts';
import { boxAccountQuery, organizationsQuery } from '#queries/box-accounts.ts';
import { NotManaged } from '../-editing/NotManaged.tsx';
import { mayWords } from '../-editing/role-words.ts';

export const Route = createFileRoute('/$environment/boxes/organizations/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(organizationsQuery(environment));
    void queryClient.prefetchQuery(boxAccountQuery(environment));
  },
  component: OrganizationsPage,
});

interface Row {
  readonly username: string;
  readonly mine: string;
}

const columns: readonly GridColumn<Row>[] = [
  {
    id: 'username',
    header: 'Organization',
    value: ({ username }) => username,
    width: 320,
    isRowHeader: true,
    sortable: true,
  },
  { id: 'mine', header: 'Your permissions', value: ({ mine }) => mine, width: 280, sortable: true },
];
const noun = { one: 'organization', many: 'organizations' };
const usernameOf = ({ username }: Row): string => username;

/** The registry's organizations, if it manages them. */
function OrganizationsPage() {
  const { id: environment } = useEnvironment();
  const query = useQuery(organizationsQuery(environment));
  const account = useQuery(boxAccountQuery(environment));
  const items = useMemo(
    () => query.data?.map(({ username, may }): Row => ({ username, mine: mayWords(may) })),
    [query.data],
  );
  const list = useWholeList<Row>(useSearchState(listSearch), {
    items,
    columns,
    rowId: usernameOf,
    noun,
    finds: 'Search organizations',
    nothing: (text) => `No organization matches "${text}".`,
  });
  const isManaged = account.data?.organizations !== null && !isApiError(query.error, 'not-found');
  const up = boxesHref(environment);
  return (
    <ListPage<Row>
      {...list}
      title="Organizations"
      icon={Building2}
      list="box-organizations"
      query={query}
      rowLabel={usernameOf}
      rowHref={({ username }) => organizationHref(environment, username)}
      ancestors={[{ id: 'boxes', label: 'Boxes', href: up }]}
      up={up}
      create={
        isManaged
          ? {
              href: newOrganizationHref(environment),
              reason: reasonAgainstCreating(account.data?.organizations?.may_create),
            }
          : undefined
      }
      instead={isManaged ? undefined : <NotManaged environment={environment} what="organizations" />}
      empty={{
        title: 'No organizations you can see',
        about: 'An organization owns boxes that several users publish. Its members see its private boxes.',
        command: `curl -H "Authorization: Bearer $VAGRANT_CLOUD_TOKEN" -H "Content-Type: application/json" -d '{"organization":{"username":"acme"}}' "$VAGRANT_SERVER_URL/api/v1/organizations"`,
        create: 'New organization',
      }}
    />
  );
}

/** @param mayCreate undefined while loading */
function reasonAgainstCreating(mayCreate: boolean | undefined): string | undefined {
  if (mayCreate === undefined) return 'Your permissions here are still loading.';
  return mayCreate
    ? undefined
    : "Your role in the box registry doesn't let you create organizations. Ask an administrator.";
}
