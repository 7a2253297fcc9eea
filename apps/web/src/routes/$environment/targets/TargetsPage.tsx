import type { Target } from '@gatehouse/api-types/console/targets';
import { Button } from '@gatehouse/ui/button';
import { NoMatches } from '@gatehouse/ui/empty-state';
import { TargetIcon } from '@gatehouse/ui/icon';
import { IconButton } from '@gatehouse/ui/icon-button';
import { lazy } from '@gatehouse/ui/lazy';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, defaultStringifySearch, useNavigate } from '@tanstack/react-router';
import { ListFilter, Plug } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { statusOf } from '#components/list/list-query.ts';
import { ListFailure } from '#components/list/ListFailure.tsx';
import { ListPage } from '#components/list/ListPage.tsx';
import { idOf } from '#components/list/row-id.ts';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useSearchText } from '#components/list/use-search-text.ts';
import type { Errand } from '#components/record/use-errand.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { queryClient } from '#lib/query-client.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { scopesQuery, targetListQuery } from '#queries/access.ts';
import { globalScope } from '#queries/global-scope.ts';
import { reasonAgainstAuthorizingAny, reasonAgainstCreating } from './may.ts';
import { targetActions } from './target-actions.ts';
import { targetColumns, targetView } from './target-columns.tsx';
import {
  isListable,
  placeOf,
  targetListSearch,
  targetsSearch,
  type TargetsSearch,
} from './targets-search.ts';
import { useManyTargets } from './use-many-targets.tsx';
import { useScopeChoice } from './use-scope-choice.tsx';
import { useTargetList } from './use-target-list.ts';
import { useWhyNot } from './use-why-not.tsx';

export const Route = createFileRoute('/$environment/targets/')({
  validateSearch: targetListSearch.parse,
  loaderDeps: ({ search }) => {
    const { scope, recursive, filter } = targetListSearch.parse(search);
    return { scope, recursive, filter };
  },
  loader: ({ params: { environment }, deps }) => {
    void queryClient.prefetchQuery(scopesQuery(environment));
    if (!isListable(deps)) return;
    const query = {
      environment,
      scope: deps.scope ?? globalScope,
      recursive: deps.recursive !== false,
      filter: deps.filter,
    };
    void queryClient.prefetchQuery(targetListQuery(query));
  },
  component: TargetsPage,
});

interface TargetsFailureProps {
  error: unknown;
  /** The controller rejected the filter expression; its field shows why. */
  isFilterRefused: boolean;
  /** The number of targets that are shown anyway. */
  loaded: number;
  onClearFilter: () => void;
  onRetry: () => void;
}

// Loaded when needed: on request, or in an empty list.
const FilterRow = lazy(async () => ({ default: (await import('./FilterRow.tsx')).FilterRow }));
const NoTargets = lazy(async () => ({ default: (await import('./NoTargets.tsx')).NoTargets }));

/** The targets of a scope. Up to 100,000 are searched and sorted in the page while more load. */
function TargetsPage() {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const [address, change] = useSearchState(targetListSearch);
  const { text, write } = useSearchText(address.q ?? '', (q) => {
    change({ q: q === '' ? undefined : q });
  });
  // Searches as you type; the address follows.
  const search = { ...address, q: text === '' ? undefined : text };
  const scopes = useQuery(scopesQuery(environment.id));
  const { query, list, rows, sort, isSearching } = useTargetList(environment.id, search);
  const isPart = !list.isComplete && list.items.length > 0;
  const status = query.isPending && !isListable(search) ? 'ready' : statusOf(query, isPart);
  const many = useManyTargets(environment, list.items);
  const scope = useScopeChoice(environment.id, search, change, many.clear);
  const [isFilterOpen, setFilterOpen] = useState(search.filter !== undefined);
  const cannotCreate = reasonAgainstCreating(scopes.data);
  const create = {
    href: `/${environment.id}/targets/new${defaultStringifySearch(placeOf(search))}`,
    reason: cannotCreate,
  };
  const whyNot = useWhyNot(search, change, rows, list.isComplete);
  const filterError =
    isApiError(query.error, 'invalid-request') && search.filter !== undefined
      ? (query.error.problem?.fields?.map(({ message }) => message).join(' ') ?? wordsOf(query.error).detail)
      : undefined;
  const go = (
    to: '/$environment/targets/$id' | '/$environment/targets/$id/edit',
    id: string,
    errand?: Errand,
  ): void =>
    void navigate({
      to,
      params: { environment: environment.id, id },
      search: targetsSearch.parse(search),
      state: { errand },
    });

  return (
    <>
      <ListPage<Target>
        title="Targets"
        icon={TargetIcon}
        list="targets"
        firstView={targetView}
        noun={{ one: 'target', many: 'targets' }}
        columns={targetColumns}
        query={query}
        status={status}
        {...(isPart &&
          search.q === undefined &&
          search.filter === undefined && {
            matchCount: { value: Math.max(list.estimate, list.items.length), isExact: false },
          })}
        barEnd={
          isPart &&
          search.q !== undefined && (
            <span className="text-meta">
              Searched {list.items.length.toLocaleString('en')} of about {list.estimate.toLocaleString('en')}
            </span>
          )
        }
        rows={rows}
        rowId={idOf}
        rowLabel={({ name }) => name}
        rowHref={({ id }) => `/${environment.id}/targets/${encodeURIComponent(id)}`}
        onOpen={({ id }) => {
          go('/$environment/targets/$id', id);
        }}
        rowActions={(target) =>
          targetActions(target, {
            cannotCreate,
            go: (to, errand) => {
              go(to, target.id, errand);
            },
            clone: () =>
              void navigate({
                to: '/$environment/targets/new',
                params: { environment: environment.id },
                search: { from: target.id },
              }),
            remove: () => {
              many.remove([target]);
            },
          })
        }
        sort={sort}
        onSort={(next) => {
          change({ sort: next });
        }}
        selection={many.selection}
        onSelectionChange={many.setSelection}
        bulkActions={many.bulkActions}
        actions={
          <AuthorizeByName
            search={search}
            disabledReason={
              list.isComplete && search.filter === undefined
                ? reasonAgainstAuthorizingAny(list.items)
                : undefined
            }
          />
        }
        refresh={{ run: () => void query.refetch(), isRunning: query.isFetching && list.isComplete }}
        create={create}
        find={{ label: 'Search name, ID, address, description', text, write, isPending: isSearching }}
        filters={{
          before: scope.button,
          end: (
            <FilterToggle
              isOpen={isFilterOpen}
              onToggle={() => {
                setFilterOpen(!isFilterOpen);
              }}
            />
          ),
        }}
        beside={scope.beside}
        empty={
          <Suspense fallback={null}>
            <NoTargets
              search={search}
              scope={scope.name}
              create={create}
              isLoading={status === 'loading-more'}
              onClear={() => {
                setFilterOpen(false);
                write('');
                change({ q: undefined, filter: undefined });
              }}
              onRecursive={() => {
                change({ recursive: undefined });
              }}
              onWhy={whyNot.ask}
            />
          </Suspense>
        }
        error={
          <TargetsFailure
            error={query.error}
            isFilterRefused={filterError !== undefined}
            loaded={list.items.length}
            onClearFilter={() => {
              change({ filter: undefined });
            }}
            onRetry={() => void query.refetch()}
          />
        }
      >
        {isFilterOpen && (
          <Suspense fallback={null}>
            <FilterRow
              key={search.filter ?? ''}
              filter={search.filter}
              error={filterError}
              isPending={query.isFetching && search.filter !== undefined && list.items.length === 0}
              onApply={(filter) => {
                many.clear();
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
      </ListPage>
      {scope.drawer}
      {whyNot.dialog}
      {many.dialogs}
    </>
  );
}

/** Why the list is missing or incomplete, and what to do. */
function TargetsFailure({ isFilterRefused, onClearFilter, ...failure }: TargetsFailureProps) {
  if (isFilterRefused) {
    return (
      <NoMatches
        title="The filter expression wasn't accepted. Correct it above."
        action={
          <Button size={28} onPress={onClearFilter}>
            Clear the filter
          </Button>
        }
      />
    );
  }
  return (
    <ListFailure
      {...failure}
      title={`Loading stopped after ${failure.loaded.toLocaleString('en')} targets`}
      retryLabel="Continue"
    />
  );
}

/** Toggles the row with the filter expression. */
function FilterToggle({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <>
      <span className="hidden narrow:flex">
        <Button
          size={28}
          icon={ListFilter}
          variant={isOpen ? 'secondary' : 'ghost'}
          aria-expanded={isOpen}
          onPress={onToggle}
        >
          Filter expression
        </Button>
      </span>
      <span className="flex narrow:hidden">
        <IconButton icon={ListFilter} label="Filter expression" aria-expanded={isOpen} onPress={onToggle} />
      </span>
    </>
  );
}

/** Links to authorizing a session by target name. */
function AuthorizeByName({
  search,
  disabledReason,
}: {
  search: TargetsSearch;
  disabledReason: string | undefined;
}) {
  const { id: environment } = useEnvironment();
  const navigate = useNavigate();
  const go = (): void =>
    void navigate({
      to: '/$environment/targets/authorize',
      params: { environment },
      search: placeOf(search),
    });
  const label = 'Authorize session by name';
  useShortcut({ keys: 'a', label, group: 'Targets', disabledReason, run: go });
  return (
    <>
      <span className="hidden narrow:flex">
        <Button size={28} icon={Plug} shortcut="a" disabledReason={disabledReason} onPress={go}>
          {label}
        </Button>
      </span>
      <span className="flex narrow:hidden">
        <IconButton icon={Plug} label={label} disabledReason={disabledReason} onPress={go} />
      </span>
    </>
  );
}
