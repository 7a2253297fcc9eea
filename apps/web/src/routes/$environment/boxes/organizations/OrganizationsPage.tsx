import { Button } from '@gatehouse/ui/button';
import { DataGrid, type GridColumn, type GridView } from '@gatehouse/ui/data-grid';
import { EmptyState, NoMatches } from '@gatehouse/ui/empty-state';
import { IconButton } from '@gatehouse/ui/icon-button';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SearchField } from '@gatehouse/ui/search-field';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Building2, RotateCw } from 'lucide-react';
import { useMemo } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { boxesHref, newOrganizationHref, organizationHref } from '#components/places/boxes.ts';
import { arrangeRecords } from '#components/record/arrange-records.ts';
import { sortingOf, withSorting, withWords, type RecordSearch } from '#components/record/record-search.ts';
import { useGridView } from '#components/table/use-grid-view.ts';
import { isApiError } from '#lib/api-error.ts';
import { useSearchShortcut, useShortcut } from '#lib/shortcuts.ts';
import { boxAccountQuery, organizationsQuery } from '#queries/box-accounts.ts';
import { useShortcutsSetting } from '#queries/settings.ts';
import { NotManaged } from '../-editing/NotManaged.tsx';
import { mayWords } from '../-editing/role-words.ts';

const route = getRouteApi('/$environment/boxes/organizations/');

interface Row {
  readonly id: string;
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
  { id: 'mine', header: 'What you may do', value: ({ mine }) => mine, width: 280, sortable: true },
];
const defaultView: GridView = { hidden: [], widths: {}, pinned: { start: [], end: [] }, density: 32 };
const rowId = ({ id }: Row): string => id;

/** All organizations of the registry, where it manages them. */
export function OrganizationsPage() {
  usePageTitle('Organizations');
  const { environment } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery(organizationsQuery(environment));
  const account = useQuery(boxAccountQuery(environment));
  const [view, setView] = useGridView('box-organizations', defaultView);
  const [hasLetterKeys] = useShortcutsSetting();
  const { q = '' } = search;
  const sorting = sortingOf(search);
  const rows = useMemo(() => {
    const all = (query.data ?? []).map(({ username, may }) => ({
      id: username,
      username,
      mine: mayWords(may),
    }));
    return arrangeRecords<Row>(all, columns, q, sorting);
  }, [query.data, q, sorting]);
  const isManaged = account.data?.organizations !== null && !isApiError(query.error, 'not-found');
  const cannotCreate = reasonAgainstCreating(account.data?.organizations?.may_create);
  const create = newOrganizationHref(environment);
  const change = (next: RecordSearch): void =>
    void navigate({
      to: '/$environment/boxes/organizations',
      params: { environment },
      search: next,
      replace: true,
    });
  const hrefOf = ({ username }: Row): string => organizationHref(environment, username);
  const group = 'Organizations';
  const input = useSearchShortcut('Search the organizations', group);
  useShortcut({
    keys: 'c',
    label: 'Create an organization',
    group,
    run: () => {
      if (isManaged && cannotCreate === undefined) void navigate({ href: create });
    },
  });
  useShortcut({ keys: 'r', label: 'Load the list anew', group, run: () => void query.refetch() });
  useShortcut({ keys: 'u', label: 'Up', group, run: () => void navigate({ href: boxesHref(environment) }) });
  const createButton =
    cannotCreate === undefined ? (
      <LinkButton href={create} variant="primary" size={28}>
        New organization
      </LinkButton>
    ) : (
      <Button variant="primary" size={28} disabledReason={cannotCreate}>
        New organization
      </Button>
    );
  return (
    <>
      <PageHeader
        icon={Building2}
        title="Organizations"
        ancestors={[{ id: 'boxes', label: 'Boxes', href: boxesHref(environment) }]}
        actions={
          isManaged && (
            <>
              <IconButton
                icon={RotateCw}
                label="Load the list anew"
                shortcut="r"
                isPending={query.isFetching && query.data !== undefined}
                onPress={() => void query.refetch()}
              />
              {createButton}
            </>
          )
        }
        toolbar={
          isManaged && (
            <Toolbar label="Find organizations">
              <div className="w-full max-w-80 min-w-0">
                <SearchField
                  label="Search the organizations"
                  shortcut="/"
                  value={q}
                  inputRef={input}
                  onChange={(text) => {
                    change(withWords(search, text));
                  }}
                />
              </div>
            </Toolbar>
          )
        }
      />
      {isManaged ? (
        <div className="flex min-h-0 flex-1 flex-col">
          <DataGrid<Row>
            label="Organizations"
            noun={{ one: 'organization', many: 'organizations' }}
            columns={columns}
            rows={rows}
            rowId={rowId}
            rowLabel={rowId}
            status={query.isPending ? 'loading' : query.isError ? 'failed' : 'ready'}
            rowHref={hrefOf}
            onOpen={(row) => void navigate({ href: hrefOf(row) })}
            sorting={sorting}
            onSortingChange={(next) => {
              change(withSorting(search, next));
            }}
            sortedBy="given"
            view={view}
            onViewChange={setView}
            hasLetterKeys={hasLetterKeys}
            empty={
              query.data?.length === 0 ? (
                <EmptyState
                  icon={Building2}
                  title="No organization yet"
                  command={`curl -H "Authorization: Bearer $VAGRANT_CLOUD_TOKEN" -H "Content-Type: application/json" -d '{"organization":{"username":"acme"}}' "$VAGRANT_SERVER_URL/api/v1/organizations"`}
                  action={createButton}
                >
                  An organization owns boxes that several people publish. Its members see its private boxes.
                </EmptyState>
              ) : (
                <NoMatches
                  title={`No organization matches "${q}".`}
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
            error={<Failure error={query.error} onRetry={() => void query.refetch()} />}
          />
        </div>
      ) : (
        <NotManaged environment={environment} what="organizations" />
      )}
    </>
  );
}

/** @param mayCreate undefined until it is known */
function reasonAgainstCreating(mayCreate: boolean | undefined): string | undefined {
  if (mayCreate === undefined) return 'What you may do here is not known yet.';
  return mayCreate
    ? undefined
    : 'Your role at the box registry does not let you create organizations. Ask an administrator.';
}
