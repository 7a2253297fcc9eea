import type { Target } from '@gatehouse/api-types/console/targets';
import { Button } from '@gatehouse/ui/button';
import { DataGrid, emptyGridSelection, type GridSelection } from '@gatehouse/ui/data-grid';
import { ScopeIcon, TargetIcon } from '@gatehouse/ui/icon';
import { IconButton } from '@gatehouse/ui/icon-button';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SearchField } from '@gatehouse/ui/search-field';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ListFilter, PencilLine, Trash2 } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { useGridView } from '#components/table/use-grid-view.ts';
import { scopeName } from '#components/targets/scope-name.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useSearchShortcut, useShortcut } from '#lib/shortcuts.ts';
import { scopesQuery } from '#queries/access.ts';
import { globalScope } from '#queries/global-scope.ts';
import { useShortcutsSetting } from '#queries/settings.ts';
import { HeaderActions } from './HeaderActions.tsx';
import { reasonAgainst, reasonAgainstCreating } from './may.ts';
import { targetActions } from './target-actions.ts';
import { targetColumns, targetView } from './target-columns.tsx';
import { isListable, sortingOf, sortText, type TargetListSearch } from './targets-search.ts';
import { useTargetList } from './use-target-list.ts';

// Fetched when they are needed: on a narrow screen, and when somebody is about to delete.
const FilterRow = lazy(async () => ({ default: (await import('./FilterRow.tsx')).FilterRow }));
// Instead of rows, which most lists have.
const NoTargets = lazy(async () => ({ default: (await import('./NoTargets.tsx')).NoTargets }));
const ListFailure = lazy(async () => ({ default: (await import('./ListFailure.tsx')).ListFailure }));
// Beside the list, whose rows need not wait for it.
const ScopeTree = lazy(async () => ({ default: (await import('./ScopeTree.tsx')).ScopeTree }));
const ScopeDrawer = lazy(async () => ({ default: (await import('./ScopeDrawer.tsx')).ScopeDrawer }));
const DeleteTargets = lazy(async () => ({ default: (await import('./DeleteTargets.tsx')).DeleteTargets }));
const BulkEditTargets = lazy(async () => ({
  default: (await import('./-bulk-edit/BulkEditTargets.tsx')).BulkEditTargets,
}));
const WhyNot = lazy(async () => ({ default: (await import('./-why-not/WhyNot.tsx')).WhyNot }));
const route = getRouteApi('/$environment/targets/');
const idOf = (target: Target): string => target.id;
const nameOf = (target: Target): string => target.name;

export function TargetsPage() {
  usePageTitle('Targets');
  const environment = useEnvironment();
  const search = route.useSearch();
  const navigate = useNavigate();
  const scopes = useQuery(scopesQuery(environment.id));
  const { query, list, rows, isSearching } = useTargetList(environment.id, search);
  const [view, setView] = useGridView('targets', targetView);
  const [hasLetterKeys] = useShortcutsSetting();
  const [selection, setSelection] = useState<GridSelection>(emptyGridSelection);
  const [deleting, setDeleting] = useState<readonly Target[]>();
  const [editing, setEditing] = useState<readonly Target[]>();
  const [isFilterOpen, setFilterOpen] = useState(search.filter !== undefined);
  const [isScopeOpen, setScopeOpen] = useState(false);

  const toggleFilter = (): void => {
    setFilterOpen(!isFilterOpen);
  };
  const scope = search.scope ?? globalScope;
  const recursive = search.recursive !== false;
  const here = scopes.data?.find(({ id }) => id === scope);
  const cannotCreate = reasonAgainstCreating(scopes.data);
  const to = '/$environment/targets';
  const params = { environment: environment.id };
  /** Places are pushed; what is typed or toggled replaces, so that Back needs one press. */
  const change = (next: Partial<Record<keyof TargetListSearch, unknown>>, isPlace: boolean): void => {
    void navigate({ to, params, search: { ...search, ...next } as TargetListSearch, replace: !isPlace });
  };
  const chooseScope = (id: string): void => {
    setSelection(emptyGridSelection);
    setScopeOpen(false);
    change({ scope: id === globalScope ? undefined : id, recursive: undefined }, true);
  };

  const searchInput = useSearchShortcut('Search the targets', 'Targets');
  const deselect = (ids: readonly string[]): void => {
    if (ids.length > 0 && selection.kind === 'rows')
      setSelection({ kind: 'rows', ids: selection.ids.difference(new Set(ids)) });
  };
  const askWhy = (why: true | string | undefined): void => {
    change({ why }, why === true);
  };
  useShortcut({
    keys: 'w',
    label: 'Why is a target missing?',
    group: 'Targets',
    run: () => {
      askWhy(true);
    },
  });

  const filterError =
    isApiError(query.error, 'invalid-request') && search.filter !== undefined
      ? (query.error.problem?.fields?.map(({ message }) => message).join(' ') ?? wordsOf(query.error).detail)
      : undefined;
  const selected = useMemo(
    () => (selection.kind === 'rows' ? list.items.filter(({ id }) => selection.ids.has(id)) : list.items),
    [selection, list.items],
  );
  const listed = useMemo(
    () => (search.why !== undefined && list.isComplete ? new Set(list.items.map(({ id }) => id)) : undefined),
    [search.why, list],
  );
  const cannotDelete = selected.map((target) => reasonAgainst(target, 'delete')).find(Boolean);
  // Where some may be changed, the review says of the others why not.
  const cannotEdit = selected.some((target) => reasonAgainst(target, 'update') === undefined)
    ? undefined
    : selected.map((target) => reasonAgainst(target, 'update')).find(Boolean);
  const isLoadingMore = query.isFetching && !list.isComplete && list.items.length > 0;
  const isNarrowed = search.q !== undefined || search.filter !== undefined;

  const tree = (
    <Suspense fallback={null}>
      <ScopeTree
        scopes={scopes.data}
        isFailed={scopes.isError}
        scope={scope}
        recursive={recursive}
        onScope={chooseScope}
        onRecursive={(isOn) => {
          change({ recursive: isOn ? undefined : false }, false);
        }}
      />
    </Suspense>
  );

  return (
    <>
      <PageHeader
        icon={TargetIcon}
        title="Targets"
        actions={
          <HeaderActions
            search={search}
            cannotCreate={cannotCreate}
            isLoadingAnew={query.isFetching && list.isComplete}
            onLoadAnew={() => void query.refetch()}
          />
        }
        toolbar={
          <Toolbar
            label="Find targets"
            end={
              <>
                <span className="hidden narrow:flex">
                  <Button
                    size={28}
                    icon={ListFilter}
                    variant={isFilterOpen ? 'secondary' : 'ghost'}
                    aria-expanded={isFilterOpen}
                    onPress={toggleFilter}
                  >
                    Filter expression
                  </Button>
                </span>
                <span className="flex narrow:hidden">
                  <IconButton
                    icon={ListFilter}
                    label="Filter expression"
                    aria-expanded={isFilterOpen}
                    onPress={toggleFilter}
                  />
                </span>
              </>
            }
          >
            <div className="flex shrink-0 wide:hidden">
              <IconButton
                icon={ScopeIcon}
                label={`Scope: ${here ? scopeName(here) : scope}`}
                variant="secondary"
                onPress={() => {
                  setScopeOpen(true);
                }}
              />
            </div>
            <div className="w-full max-w-80 min-w-0">
              <SearchField
                label="Search name, id, address, description"
                shortcut="/"
                value={search.q ?? ''}
                isPending={isSearching}
                inputRef={searchInput}
                onChange={(text) => {
                  change({ q: text === '' ? undefined : text }, false);
                }}
              />
            </div>
          </Toolbar>
        }
      />
      {isFilterOpen && (
        <Suspense fallback={null}>
          <FilterRow
            key={search.filter ?? ''}
            filter={search.filter}
            error={filterError}
            isPending={query.isFetching && search.filter !== undefined && list.items.length === 0}
            onApply={(filter) => {
              setSelection(emptyGridSelection);
              change({ filter }, true);
            }}
            onWhy={(filter) => {
              change({ filter, why: true }, true);
            }}
            onClose={() => {
              setFilterOpen(false);
            }}
          />
        </Suspense>
      )}
      <div className="flex min-h-0 flex-1">
        <div className="hidden w-60 shrink-0 border-e border-line bg-surface wide:flex">{tree}</div>
        <div className="flex min-w-0 flex-1 flex-col">
          <DataGrid<Target>
            label="Targets"
            noun={{ one: 'target', many: 'targets' }}
            columns={targetColumns}
            rows={rows}
            rowId={idOf}
            rowLabel={nameOf}
            status={
              query.isError
                ? 'failed'
                : isLoadingMore
                  ? 'loading-more'
                  : query.isPending && isListable(search)
                    ? 'loading'
                    : 'ready'
            }
            {...(!isNarrowed &&
              !list.isComplete &&
              list.items.length > 0 && {
                matchCount: { value: Math.max(list.estimate, list.items.length), isExact: false },
              })}
            rowHref={(target) => `/${environment.id}/targets/${encodeURIComponent(target.id)}`}
            onOpen={(target) =>
              void navigate({
                to: '/$environment/targets/$id',
                params: { ...params, id: target.id },
                search,
              })
            }
            rowActions={(target) =>
              targetActions(target, {
                cannotCreate,
                go: (path) => void navigate({ to: path, params: { ...params, id: target.id }, search }),
                clone: () =>
                  void navigate({ to: '/$environment/targets/new', params, search: { from: target.id } }),
                remove: () => {
                  setDeleting([target]);
                },
              })
            }
            sorting={sortingOf(search)}
            onSortingChange={(sorting) => {
              change({ sort: sortText(sorting) }, false);
            }}
            sortedBy="given"
            view={view}
            onViewChange={setView}
            selection={selection}
            onSelectionChange={setSelection}
            bulkActions={
              <>
                <Button
                  size={28}
                  icon={PencilLine}
                  disabledReason={cannotEdit}
                  onPress={() => {
                    setEditing(selected);
                  }}
                >
                  Edit
                </Button>
                <Button
                  size={28}
                  icon={Trash2}
                  disabledReason={cannotDelete}
                  onPress={() => {
                    setDeleting(selected);
                  }}
                >
                  Delete
                </Button>
              </>
            }
            hasLetterKeys={hasLetterKeys}
            barEnd={
              search.q !== undefined && !list.isComplete && list.items.length > 0 ? (
                <span className="text-meta">
                  Searched {list.items.length.toLocaleString('en')} of about{' '}
                  {list.estimate.toLocaleString('en')}
                </span>
              ) : undefined
            }
            empty={
              <Suspense fallback={null}>
                <NoTargets
                  search={search}
                  cannotCreate={cannotCreate}
                  environment={environment.id}
                  isLoading={isLoadingMore}
                  onClear={() => {
                    setFilterOpen(false);
                    change({ q: undefined, filter: undefined }, false);
                  }}
                  onRecursive={() => {
                    change({ recursive: undefined }, false);
                  }}
                  onWhy={() => {
                    askWhy(true);
                  }}
                />
              </Suspense>
            }
            error={
              <Suspense fallback={null}>
                <ListFailure
                  error={query.error}
                  isFilterRefused={filterError !== undefined}
                  loaded={list.items.length}
                  onClearFilter={() => {
                    change({ filter: undefined }, false);
                  }}
                  onRetry={() => void query.refetch()}
                />
              </Suspense>
            }
          />
        </div>
      </div>
      {isScopeOpen && (
        <Suspense fallback={null}>
          <ScopeDrawer
            onClose={() => {
              setScopeOpen(false);
            }}
          >
            {tree}
          </ScopeDrawer>
        </Suspense>
      )}
      {search.why !== undefined && (
        <Suspense fallback={null}>
          <WhyNot
            search={search}
            listed={listed}
            id={search.why === true ? undefined : search.why}
            onChoose={askWhy}
            onClose={() => {
              askWhy(undefined);
            }}
          />
        </Suspense>
      )}
      {editing && (
        <Suspense fallback={null}>
          <BulkEditTargets
            environment={environment}
            targets={editing}
            onClose={(saved) => {
              setEditing(undefined);
              deselect(saved);
            }}
          />
        </Suspense>
      )}
      {deleting && (
        <Suspense fallback={null}>
          <DeleteTargets
            environment={environment}
            targets={deleting}
            onClose={(gone) => {
              setDeleting(undefined);
              deselect(gone);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
