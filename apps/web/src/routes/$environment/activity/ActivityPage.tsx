import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import { Banner } from '@gatehouse/ui/banner';
import { Button, buttonClass } from '@gatehouse/ui/button';
import { DataGrid } from '@gatehouse/ui/data-grid';
import { EmptyState, NoMatches } from '@gatehouse/ui/empty-state';
import { IconButton } from '@gatehouse/ui/icon-button';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SearchField } from '@gatehouse/ui/search-field';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Copy, Download, Eye, History, ListFilter, RotateCw, ShieldCheck } from 'lucide-react';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { useGridView } from '#components/table/use-grid-view.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { saveFile } from '#lib/save-file.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import {
  activityQuery,
  unknownActivityQuery,
  useExportActivity,
  useSettleActivity,
  useVerifyActivity,
} from '#queries/activity.ts';
import { useShortcutsSetting } from '#queries/settings.ts';
import { activityColumns, activityView } from './activity-columns.tsx';
import { filtersOf, type ActivitySearch } from './activity-search.ts';
import { actionWords, resourceWords } from './activity-words.ts';
import { resourceHref } from './resource-href.ts';
import { UnknownOutcomes } from './UnknownOutcomes.tsx';
import { VerificationNews } from './VerificationNews.tsx';

const ActivityFiltersRow = lazy(async () => ({
  default: (await import('./ActivityFiltersRow.tsx')).ActivityFiltersRow,
}));
const EntryPanel = lazy(async () => ({ default: (await import('./EntryPanel.tsx')).EntryPanel }));
const route = getRouteApi('/$environment/activity/');
const idOf = ({ sequence }: ActivityEntry): string => String(sequence);
const labelOf = (entry: ActivityEntry): string => `${actionWords(entry.action)}, ${resourceWords(entry)}`;
const typingMs = 300;

/** Who did what, and whether it was done. */
export function ActivityPage() {
  usePageTitle('Activity');
  const environment = useEnvironment();
  const search = route.useSearch();
  const navigate = useNavigate();
  const filters = filtersOf(search);
  const query = useInfiniteQuery(activityQuery(environment.id, filters));
  const unknown = useQuery(unknownActivityQuery(environment.id));
  const verify = useVerifyActivity(environment.id);
  const settle = useSettleActivity(environment.id);
  const save = useExportActivity(environment.id);
  const [view, setView] = useGridView('activity', activityView);
  const [hasLetterKeys] = useShortcutsSetting();
  const isNarrowed = Object.keys(filters).length > 0;
  const [isFilterOpen, setFilterOpen] = useState(
    [
      search.outcome,
      search.service,
      search.action,
      search.resource,
      search.request,
      search.from,
      search.to,
    ].some((value) => value !== undefined),
  );
  const [person, setPerson] = useState(search.person ?? '');
  const typing = useRef<number>(undefined);
  const searchInput = useRef<HTMLInputElement>(null);
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  const sees = query.data?.pages[0]?.sees;

  const to = '/$environment/activity';
  const params = { environment: environment.id };
  const change = (next: Partial<Record<keyof ActivitySearch, unknown>>, isPlace = false): void => {
    void navigate({
      to,
      params,
      search: (before) => ({ ...before, ...next }) as ActivitySearch,
      replace: !isPlace,
    });
  };
  const clear = (): void => {
    setPerson('');
    void navigate({ to, params, search: {}, replace: true });
  };
  const reload = (): void => {
    void query.refetch();
    void unknown.refetch();
  };
  const open = (entry: ActivityEntry): void => {
    change({ entry: idOf(entry) }, true);
  };
  const exportAll = (): void => {
    save.mutate(filters, {
      onSuccess: (file) => {
        saveFile(file, `gatehouse-activity-${environment.id}.ndjson`);
      },
    });
  };
  useShortcut({
    keys: '/',
    label: 'Search by person',
    group: 'Activity',
    run: () => {
      searchInput.current?.focus();
    },
  });
  useShortcut({ keys: 'r', label: 'Load the list anew', group: 'Activity', run: reload });
  useShortcut({
    keys: 'v',
    label: 'Verify the trail',
    group: 'Activity',
    run: () => {
      verify.mutate();
    },
  });

  const problem = verify.error ?? save.error ?? settle.error;
  return (
    <>
      <PageHeader
        icon={History}
        title="Activity"
        actions={
          <>
            <IconButton
              icon={RotateCw}
              label="Load the list anew"
              shortcut="r"
              isPending={query.isRefetching}
              onPress={reload}
            />
            <Button
              size={28}
              icon={ShieldCheck}
              shortcut="v"
              isPending={verify.isPending}
              onPress={() => {
                verify.mutate();
              }}
            >
              Verify
            </Button>
            <Button size={28} icon={Download} isPending={save.isPending} onPress={exportAll}>
              Export
            </Button>
          </>
        }
        toolbar={
          <Toolbar
            label="Find activity"
            end={
              <Button
                size={28}
                icon={ListFilter}
                variant={isFilterOpen ? 'secondary' : 'ghost'}
                aria-expanded={isFilterOpen}
                onPress={() => {
                  setFilterOpen(!isFilterOpen);
                }}
              >
                Filters
              </Button>
            }
          >
            <div className="w-full max-w-64 min-w-0">
              <SearchField
                label="Search by person"
                shortcut="/"
                value={person}
                inputRef={searchInput}
                onChange={(text) => {
                  setPerson(text);
                  window.clearTimeout(typing.current);
                  typing.current = window.setTimeout(() => {
                    change({ person: text.trim() === '' ? undefined : text.trim() });
                  }, typingMs);
                }}
              />
            </div>
          </Toolbar>
        }
      />
      {isFilterOpen && (
        <Suspense fallback={null}>
          <ActivityFiltersRow search={search} onChange={change} onClear={clear} />
        </Suspense>
      )}
      <div className="flex flex-col gap-2 px-4 py-2 empty:hidden">
        {verify.data && (
          <VerificationNews
            verification={verify.data}
            onClose={() => {
              verify.reset();
            }}
          />
        )}
        {problem && (
          <Banner
            tone="danger"
            title={wordsOf(problem).title}
            onClose={() => {
              verify.reset();
              save.reset();
              settle.reset();
            }}
          >
            {verify.error && isApiError(verify.error, 'forbidden')
              ? 'Only an administrator of the environment may check the whole trail.'
              : wordsOf(problem).detail}
          </Banner>
        )}
        {unknown.data && search.outcome !== 'unknown' && (
          <UnknownOutcomes
            entries={unknown.data}
            onOpen={open}
            onShowAll={() => {
              setFilterOpen(true);
              change({ outcome: 'unknown', problem: undefined }, true);
            }}
          />
        )}
      </div>
      <div className="flex min-h-0 flex-1 flex-col border-t border-line">
        <DataGrid<ActivityEntry>
          label="Activity"
          noun={{ one: 'entry', many: 'entries' }}
          columns={activityColumns}
          rows={rows}
          rowId={idOf}
          rowLabel={labelOf}
          status={
            query.isError
              ? 'failed'
              : query.isPending
                ? 'loading'
                : query.isFetchingNextPage
                  ? 'loading-more'
                  : 'ready'
          }
          {...(query.hasNextPage && { matchCount: { value: rows.length + 1, isExact: false } })}
          onLoadMore={() => {
            if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
          }}
          rowHref={(entry) => `/${environment.id}/activity?entry=${idOf(entry)}`}
          onOpen={open}
          rowActions={(entry) => [
            {
              id: 'open',
              label: 'Details',
              icon: Eye,
              onAction: () => {
                open(entry);
              },
            },
            ...(resourceHref(entry, environment.id) === undefined
              ? []
              : [
                  {
                    id: 'resource',
                    label: 'Go to the record',
                    href: resourceHref(entry, environment.id) ?? '',
                  },
                ]),
            {
              id: 'same-record',
              label: 'All about this record',
              disabledReason: entry.resource.id === '' ? 'It is not known which record it was.' : undefined,
              onAction: () => {
                setFilterOpen(true);
                change({ resource: entry.resource.id }, true);
              },
            },
            {
              id: 'same-person',
              label: 'All of this person',
              disabledReason: entry.person.login_name === '' ? 'Nobody was signed in.' : undefined,
              onAction: () => {
                setPerson(entry.person.login_name);
                change({ person: entry.person.login_name }, true);
              },
            },
            'separator',
            {
              id: 'copy-request',
              label: 'Copy request id',
              icon: Copy,
              onAction: () => void navigator.clipboard.writeText(entry.request_id),
            },
          ]}
          sorting={null}
          sortedBy="given"
          view={view}
          onViewChange={setView}
          hasLetterKeys={hasLetterKeys}
          barEnd={
            sees === 'own' ? (
              <span className="text-meta">Your own activity: administrators see that of everybody.</span>
            ) : undefined
          }
          empty={
            isNarrowed ? (
              <NoMatches
                title="No activity matches."
                action={
                  <Button size={28} onPress={clear}>
                    Show all activity
                  </Button>
                }
              />
            ) : (
              <EmptyState
                icon={History}
                title="No activity yet"
                action={
                  <Link to="/$environment" params={params} className={buttonClass({ variant: 'primary' })}>
                    Go to the overview
                  </Link>
                }
                command="curl -H 'X-Gatehouse: console' …/activity-export"
              >
                Everything that changes a record, signs in or is denied is recorded here.
              </EmptyState>
            )
          }
          error={<Failure error={query.error} onRetry={() => void query.refetch()} />}
        />
      </div>
      {search.entry !== undefined && (
        <Suspense fallback={null}>
          <EntryPanel
            sequence={search.entry}
            listed={[...rows, ...(unknown.data ?? [])].find((entry) => idOf(entry) === search.entry)}
            onSettle={(entry) => {
              settle.mutate(entry);
            }}
            onClose={() => {
              change({ entry: undefined });
            }}
          />
        </Suspense>
      )}
    </>
  );
}
