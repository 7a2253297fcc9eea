import type { BoxSummary } from '@gatehouse/api-types/console/boxes';
import { Badge } from '@gatehouse/ui/badge';
import type { GridColumn } from '@gatehouse/ui/data-grid';
import { BoxIcon } from '@gatehouse/ui/icon';
import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { Building2, UserRound } from 'lucide-react';
import { shellWord } from '#components/form/as-code.ts';
import { ListFailure } from '#components/list/ListFailure.tsx';
import { ListPage } from '#components/list/ListPage.tsx';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useWholeList } from '#components/list/use-whole-list.ts';
import { Markdown } from '#components/markdown/Markdown.tsx';
import { boxesHref, boxHref, newBoxHref, organizationHref } from '#components/places/boxes.ts';
import { queryClient } from '#lib/query-client.ts';
import { listSearch } from '#lib/search.ts';
import { ownerQuery } from '#queries/boxes.ts';
import { boxColumns, boxesView } from '../../box-columns.tsx';
import { reasonAgainstPublishing } from '../../may.ts';

export const Route = createFileRoute('/$environment/boxes/owners/$username/')({
  validateSearch: listSearch.parse,
  loader: ({ params: { environment, username } }) => {
    void queryClient.prefetchQuery(ownerQuery(environment, username));
  },
  component: OwnerPage,
});

const route = getRouteApi('/$environment/boxes/owners/$username/');
const columns: readonly GridColumn<BoxSummary>[] = boxColumns([
  'tag',
  'visibility',
  'version',
  'providers',
  'downloads',
  'updated',
  'created',
  'description',
]);
const noun = { one: 'box', many: 'boxes' };
const tagOf = ({ tag }: BoxSummary): string => tag;

/** A user or organization with their boxes, including unreleased ones if you may see them. */
function OwnerPage() {
  const { environment, username } = route.useParams();
  const query = useQuery(ownerQuery(environment, username));
  const owner = query.data;
  const list = useWholeList<BoxSummary>(useSearchState(listSearch), {
    items: owner?.boxes,
    columns,
    rowId: tagOf,
    noun,
    finds: `Search boxes of ${username}`,
    nothing: (text) => `No box of ${username} matches "${text}".`,
  });
  const cannotCreate = owner && reasonAgainstPublishing(owner.may, username);
  const up = boxesHref(environment);
  return (
    <ListPage<BoxSummary>
      {...list}
      title={username}
      icon={owner?.kind === 'organization' ? Building2 : owner?.kind === 'person' ? UserRound : BoxIcon}
      list="boxes-of-owner"
      firstView={boxesView}
      label={`Boxes of ${username}`}
      group="Owner"
      query={query}
      rowLabel={tagOf}
      rowHref={({ name }) => boxHref({ environment, username, name })}
      ancestors={[{ id: 'boxes', label: 'Boxes', href: up }]}
      up={up}
      meta={owner?.kind === 'organization' ? <Badge>Organization</Badge> : undefined}
      actions={
        owner?.kind === 'organization' && (
          <LinkButton href={organizationHref(environment, username)} size={28}>
            Organization and members
          </LinkButton>
        )
      }
      create={owner && { href: newBoxHref(environment, username), reason: cannotCreate }}
      find={{ ...list.find, action: list.find.label }}
      empty={{
        title: `${username} has no boxes you can see`,
        about:
          "Private and unreleased boxes are visible only to their owner (or the organization's members) and administrators of the box registry.",
        command: `vagrant cloud box create ${shellWord(`${username}/base`)}`,
        action: cannotCreate && <LinkButton href={up}>Search all boxes</LinkButton>,
      }}
      error={
        <ListFailure
          error={query.error}
          loaded={list.rows.length}
          onRetry={() => void query.refetch()}
          action={<LinkButton href={up}>Search boxes</LinkButton>}
        />
      }
    >
      {owner !== undefined && owner.profile !== '' && (
        <div className="max-h-40 shrink-0 overflow-y-auto border-b border-line px-4 py-3">
          <Markdown text={owner.profile} label="profile" />
        </div>
      )}
    </ListPage>
  );
}
