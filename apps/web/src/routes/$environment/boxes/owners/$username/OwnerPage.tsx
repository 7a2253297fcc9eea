import type { BoxSummary } from '@gatehouse/api-types/console/boxes';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { DataGrid, type GridColumn } from '@gatehouse/ui/data-grid';
import { EmptyState, NoMatches } from '@gatehouse/ui/empty-state';
import { BoxIcon } from '@gatehouse/ui/icon';
import { IconButton } from '@gatehouse/ui/icon-button';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SearchField } from '@gatehouse/ui/search-field';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Building2, RotateCw, UserRound } from 'lucide-react';
import { useMemo } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { Markdown } from '#components/markdown/Markdown.tsx';
import { boxesHref, boxHref, newBoxHref, organizationHref } from '#components/places/boxes.ts';
import { arrangeRecords } from '#components/record/arrange-records.ts';
import { sortingOf, withSorting, withWords, type RecordSearch } from '#components/record/record-search.ts';
import { useGridView } from '#components/table/use-grid-view.ts';
import { useSearchShortcut, useShortcut } from '#lib/shortcuts.ts';
import { ownerQuery } from '#queries/boxes.ts';
import { useShortcutsSetting } from '#queries/settings.ts';
import { boxColumns, boxesView } from '../../box-columns.tsx';
import { reasonAgainstPublishing } from '../../may.ts';

const route = getRouteApi('/$environment/boxes/owners/$username/');
const columns: readonly GridColumn<BoxRow>[] = boxColumns([
  'tag',
  'visibility',
  'version',
  'providers',
  'downloads',
  'updated',
  'created',
  'description',
]);
/** A box as a row of the grid. */
type BoxRow = BoxSummary & { readonly id: string };
const noBoxes: readonly BoxSummary[] = [];
const tagOf = ({ tag }: BoxSummary): string => tag;

/** A person or an organization: who it is, and its boxes, unreleased ones too where they may be seen. */
export function OwnerPage() {
  const { environment, username } = route.useParams();
  usePageTitle(username);
  const search = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery(ownerQuery(environment, username));
  const [view, setView] = useGridView('boxes-of-owner', boxesView);
  const [hasLetterKeys] = useShortcutsSetting();
  const owner = query.data;
  const boxes = owner?.boxes ?? noBoxes;
  const sorting = sortingOf(search);
  const { q = '' } = search;
  const rows = useMemo(() => {
    const all = boxes.map((box) => ({ ...box, id: box.tag }));
    return arrangeRecords<BoxRow>(all, columns, q, sorting);
  }, [boxes, q, sorting]);
  const cannotCreate = owner && reasonAgainstPublishing(owner.may, username);
  const create = newBoxHref(environment, username);
  const change = (next: RecordSearch): void =>
    void navigate({
      to: '/$environment/boxes/owners/$username',
      params: { environment, username },
      search: next,
      replace: true,
    });
  const hrefOf = ({ name }: BoxSummary): string => boxHref({ environment, username, name });
  const group = 'Owner';
  const input = useSearchShortcut(`Search the boxes of ${username}`, group);
  useShortcut({
    keys: 'c',
    label: 'Create a box',
    group,
    run: () => {
      if (owner && cannotCreate === undefined) void navigate({ href: create });
    },
  });
  useShortcut({ keys: 'r', label: 'Load the list anew', group, run: () => void query.refetch() });
  useShortcut({ keys: 'u', label: 'Up', group, run: () => void navigate({ href: boxesHref(environment) }) });
  return (
    <>
      <PageHeader
        icon={owner?.kind === 'organization' ? Building2 : owner?.kind === 'person' ? UserRound : BoxIcon}
        title={username}
        ancestors={[{ id: 'boxes', label: 'Boxes', href: boxesHref(environment) }]}
        meta={owner?.kind === 'organization' ? <Badge>Organization</Badge> : undefined}
        actions={
          <>
            <IconButton
              icon={RotateCw}
              label="Load the list anew"
              shortcut="r"
              isPending={query.isFetching && owner !== undefined}
              onPress={() => void query.refetch()}
            />
            {owner?.kind === 'organization' && (
              <LinkButton href={organizationHref(environment, username)} size={28}>
                Organization and members
              </LinkButton>
            )}
            {owner &&
              (cannotCreate === undefined ? (
                <LinkButton href={create} variant="primary" size={28}>
                  New box
                </LinkButton>
              ) : (
                <Button size={28} variant="primary" disabledReason={cannotCreate}>
                  New box
                </Button>
              ))}
          </>
        }
        toolbar={
          <Toolbar label="Find boxes">
            <div className="w-full max-w-80 min-w-0">
              <SearchField
                label={`Search the boxes of ${username}`}
                shortcut="/"
                value={q}
                inputRef={input}
                onChange={(text) => {
                  change(withWords(search, text));
                }}
              />
            </div>
          </Toolbar>
        }
      />
      {owner !== undefined && owner.profile !== '' && (
        <div className="max-h-40 shrink-0 overflow-y-auto border-b border-line px-4 py-3">
          <Markdown text={owner.profile} label="profile" />
        </div>
      )}
      <div className="flex min-h-0 flex-1 flex-col">
        <DataGrid<BoxRow>
          label={`Boxes of ${username}`}
          noun={{ one: 'box', many: 'boxes' }}
          columns={columns}
          rows={rows}
          rowId={tagOf}
          rowLabel={tagOf}
          status={query.isPending ? 'loading' : query.isError ? 'failed' : 'ready'}
          rowHref={hrefOf}
          onOpen={(box) => void navigate({ href: hrefOf(box) })}
          sorting={sorting}
          onSortingChange={(next) => {
            change(withSorting(search, next));
          }}
          sortedBy="given"
          view={view}
          onViewChange={setView}
          hasLetterKeys={hasLetterKeys}
          empty={
            q === '' || boxes.length === 0 ? (
              <EmptyState
                icon={BoxIcon}
                title={`No boxes of ${username} are shown to you`}
                command={`vagrant cloud box create ${username}/base`}
                action={
                  cannotCreate === undefined ? (
                    <LinkButton href={create} variant="primary">
                      Create the first box
                    </LinkButton>
                  ) : (
                    <LinkButton href={boxesHref(environment)}>Search all boxes</LinkButton>
                  )
                }
              >
                Private boxes are shown to members of their owner alone, and unreleased ones to those who may
                publish.
              </EmptyState>
            ) : (
              <NoMatches
                title={`No box of ${username} matches "${q}".`}
                action={
                  <Button
                    size={28}
                    onPress={() => {
                      change(withWords(search, ''));
                    }}
                  >
                    Clear
                  </Button>
                }
              />
            )
          }
          error={
            <Failure
              error={query.error}
              onRetry={() => void query.refetch()}
              action={<LinkButton href={boxesHref(environment)}>Search the boxes</LinkButton>}
            />
          }
        />
      </div>
    </>
  );
}
