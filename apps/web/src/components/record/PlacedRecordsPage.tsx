import { Button } from '@gatehouse/ui/button';
import type { GridColumn, GridNoun } from '@gatehouse/ui/data-grid';
import { EmptyState } from '@gatehouse/ui/empty-state';
import type { IconType } from '@gatehouse/ui/icon';
import { IconButton } from '@gatehouse/ui/icon-button';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SearchField } from '@gatehouse/ui/search-field';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useSearchShortcut, useShortcut } from '#lib/shortcuts.ts';
import { scopesQuery } from '#queries/access.ts';
import type { StoredRecord } from '#queries/records.ts';
import { useEnvironment } from '../layout/use-environment.ts';
import { usePageTitle } from '../layout/use-page-title.ts';
import { projectsToCreateIn } from './projects.ts';
import { nameOrId } from './record-kind.ts';
import { sortingOf, withSorting, withWords, type RecordSearch } from './record-search.ts';
import { RecordGrid } from './RecordGrid.tsx';

export interface PlacedRecordsPageProps<Item extends StoredRecord & { name: string }> {
  title: string;
  /** The key of the arrangement in a person's preferences. */
  list: string;
  noun: GridNoun;
  icon: IconType;
  columns: readonly GridColumn<Item>[];
  query: UseQueryResult<readonly Item[]>;
  hrefOf: (item: Item) => string;
  newHref: string;
  /** The collection of a project, in the controller's words. */
  collection: string;
  /** What they are for: read by those who see none yet. */
  about: string;
  command: string;
  search: RecordSearch;
  onSearch: (search: RecordSearch) => void;
}

/** A page that lists what projects hold. */
export function PlacedRecordsPage<Item extends StoredRecord & { name: string }>(
  props: PlacedRecordsPageProps<Item>,
) {
  const { title, noun, icon, columns, query, hrefOf, newHref, search, onSearch } = props;
  usePageTitle(title);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const scopes = useQuery(scopesQuery(environment.id));
  const cannotCreate =
    scopes.data === undefined
      ? 'What you may do here is not known yet.'
      : projectsToCreateIn(scopes.data, props.collection).length > 0
        ? undefined
        : `Your role at the access controller does not let you create ${noun.many} in any project.`;
  const load = (): void => void query.refetch();
  const create = (): void => {
    if (cannotCreate === undefined) void navigate({ href: newHref });
  };
  const input = useSearchShortcut(`Search the ${noun.many}`, title);
  useShortcut({ keys: 'c', label: `Create a ${noun.one}`, group: title, run: create });
  useShortcut({ keys: 'r', label: 'Load the list anew', group: title, run: load });
  return (
    <>
      <PageHeader
        icon={icon}
        title={title}
        actions={
          <>
            <IconButton
              icon={RotateCw}
              label="Load the list anew"
              shortcut="r"
              isPending={query.isFetching && !query.isPending}
              onPress={load}
            />
            {cannotCreate === undefined ? (
              <LinkButton href={newHref} variant="primary" size={28}>
                New {noun.one}
              </LinkButton>
            ) : (
              <Button size={28} variant="primary" disabledReason={cannotCreate}>
                New {noun.one}
              </Button>
            )}
          </>
        }
        toolbar={
          <Toolbar label={`Find ${noun.many}`}>
            <div className="w-full max-w-80 min-w-0">
              <SearchField
                label="Search name, id, project, description"
                shortcut="/"
                value={search.q ?? ''}
                inputRef={input}
                onChange={(text) => {
                  onSearch(withWords(search, text));
                }}
              />
            </div>
          </Toolbar>
        }
      />
      <div className="flex min-h-0 flex-1 flex-col">
        <RecordGrid<Item>
          list={props.list}
          label={title}
          noun={noun}
          columns={columns}
          query={query}
          nameOf={nameOrId}
          hrefOf={hrefOf}
          search={search.q ?? ''}
          onClearSearch={() => {
            onSearch(withWords(search, ''));
          }}
          sorting={sortingOf(search)}
          onSortingChange={(sorting) => {
            onSearch(withSorting(search, sorting));
          }}
          empty={
            <EmptyState
              icon={icon}
              title={`No ${noun.many} yet`}
              command={props.command}
              action={
                cannotCreate === undefined ? (
                  <LinkButton href={newHref} variant="primary">
                    Create the first {noun.one}
                  </LinkButton>
                ) : (
                  <Button disabledReason={cannotCreate}>Create the first {noun.one}</Button>
                )
              }
            >
              {props.about}
            </EmptyState>
          }
        />
      </div>
    </>
  );
}
