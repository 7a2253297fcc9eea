import type { ActivityEntry } from '@gatehouse/api-types/console/activity';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Download, History, ListFilter, ShieldCheck } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { actionWords, resourceWords } from '#components/activity/activity-words.ts';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { Histogram } from '#components/histogram/Histogram.tsx';
import { ListPage } from '#components/list/ListPage.tsx';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useSearchText } from '#components/list/use-search-text.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { queryClient } from '#lib/query-client.ts';
import { activityHistogramQuery, activityQuery, unknownActivityQuery } from '#queries/activity.ts';
import { useZoneSetting } from '#queries/settings.ts';
import { activityActions } from './activity-actions.ts';
import { activityColumns, activityView } from './activity-columns.tsx';
import { activitySearch, filtersOf, withoutFilters } from './activity-search.ts';
import { foldJobs, type ListedEntry } from './fold-jobs.ts';
import { type Trail, useTrail } from './use-trail.ts';

export const Route = createFileRoute('/$environment/activity/')({
  validateSearch: activitySearch.parse,
  loaderDeps: ({ search }) => filtersOf(activitySearch.parse(search)),
  loader: ({ params: { environment }, deps }) => {
    void queryClient.prefetchInfiniteQuery(activityQuery(environment, deps));
    void queryClient.prefetchQuery(unknownActivityQuery(environment));
  },
  component: ActivityPage,
});

const VerificationNews = lazy(async () => ({
  default: (await import('./VerificationNews.tsx')).VerificationNews,
}));

const ActivityFiltersRow = lazy(async () => ({
  default: (await import('./ActivityFiltersRow.tsx')).ActivityFiltersRow,
}));
const UnknownOutcomes = lazy(async () => ({
  default: (await import('./UnknownOutcomes.tsx')).UnknownOutcomes,
}));
const SettleNews = lazy(async () => ({ default: (await import('./SettleNews.tsx')).SettleNews }));
const EntryPanel = lazy(async () => ({ default: (await import('./EntryPanel.tsx')).EntryPanel }));
const idOf = ({ sequence }: ActivityEntry): string => String(sequence);
const labelOf = (entry: ActivityEntry): string =>
  `${actionWords(entry.action, entry.paths)}, ${resourceWords(entry)}`;

/** The audit trail: who did what, and the outcome. */
function ActivityPage() {
  const { id: environment } = useEnvironment();
  const [search, change] = useSearchState(activitySearch);
  const filters = filtersOf(search);
  const query = useInfiniteQuery(activityQuery(environment, filters));
  const [zone] = useZoneSetting();
  const histogram = useQuery(activityHistogramQuery(environment, filters, zone));
  const total = histogram.data?.counts.reduce((sum, count) => sum + count, 0) ?? 0;
  const unknown = useQuery(unknownActivityQuery(environment));
  const queryClient = useQueryClient();
  const trail = useTrail(environment, filters);
  const { q: _, kind: __, resource, entry, ...inRow } = search;
  const [isFilterOpen, setFilterOpen] = useState(Object.keys(inRow).length > 0);
  const { text, write } = useSearchText(search.q ?? '', (q) => {
    change({ q: q.trim() === '' ? undefined : q });
  });
  const entries = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  const [openJobs, setOpenJobs] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(
    () => (resource === undefined ? foldJobs(entries, openJobs) : entries),
    [entries, openJobs, resource],
  );
  const columns = useMemo(
    () =>
      activityColumns((key) => {
        setOpenJobs((open) => open.symmetricDifference(new Set([key])));
      }),
    [],
  );
  const clear = (): void => {
    write('');
    change(withoutFilters);
  };
  const open = (chosen: ActivityEntry): void => {
    change({ entry: idOf(chosen) }, true);
  };
  return (
    <>
      <ListPage<ListedEntry>
        title="Activity"
        icon={History}
        list="activity"
        firstView={activityView}
        noun={
          rows.length === entries.length ? { one: 'entry', many: 'entries' } : { one: 'row', many: 'rows' }
        }
        columns={columns}
        query={query}
        rows={rows}
        rowId={idOf}
        rowLabel={labelOf}
        rowHref={(row) => `/${environment}/activity?entry=${idOf(row)}`}
        onOpen={open}
        rowActions={(row) =>
          activityActions(row, environment, {
            open,
            sameRecord: (row) => {
              change({ resource: row.resource.id }, true);
            },
            samePerson: ({ person }) => {
              setFilterOpen(true);
              change({ person: person.login_name }, true);
            },
            sameTime: ({ time }) => {
              setFilterOpen(true);
              change({ ...withoutFilters, ...around(time) }, true);
            },
          })
        }
        {...(query.hasNextPage && {
          matchCount: { value: Math.max(total, rows.length + 1), isExact: false },
        })}
        onLoadMore={() => {
          if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
        }}
        barEnd={
          query.data?.pages[0]?.sees === 'own' && (
            <span className="text-meta">Your own activity. Administrators see everyone's.</span>
          )
        }
        actions={<TrailActions trail={trail} />}
        refresh={{
          run: () => {
            void queryClient.refetchQueries({ queryKey: [environment, 'activity'], type: 'active' });
          },
        }}
        find={{
          label: 'Search person, record, path, action, field',
          text,
          write,
          isPending: query.isFetching && text !== '',
        }}
        filters={{
          label: 'Find activity',
          end: (
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
          ),
        }}
        narrowed={
          Object.keys(filters).length > 0
            ? { title: 'No activity matches.', label: 'Show all activity', onClear: clear }
            : undefined
        }
        empty={{
          title: 'No activity yet',
          about: 'Every change, sign-in and refusal is recorded here.',
          command: "curl -H 'X-Gatehouse: console' …/activity-export",
          action: (
            <LinkButton href={`/${environment}`} variant="primary">
              Go to the overview
            </LinkButton>
          ),
        }}
      >
        {resource !== undefined && (
          <p className="flex items-center gap-2 border-b border-line bg-surface px-4 py-1.5 text-body text-ink-2">
            Showing only activity on the record <span className="font-mono text-meta">{resource}</span>
            <Button
              size={28}
              variant="ghost"
              onPress={() => {
                change({ resource: undefined });
              }}
            >
              Show all
            </Button>
          </p>
        )}
        <Histogram
          label="Activity over time"
          buckets={histogram.data}
          noun={{ one: 'entry', many: 'entries' }}
          onChoose={(from, to) => {
            setFilterOpen(true);
            change({ from, to }, true);
          }}
        />
        {isFilterOpen && (
          <Suspense fallback={null}>
            <ActivityFiltersRow
              search={search}
              onChange={change}
              onClear={clear}
              personName={entries.find(({ person }) => person.id === search.person)?.person.name || undefined}
            />
          </Suspense>
        )}
        <div className="flex flex-col gap-2 border-b border-line px-4 py-2 empty:hidden">
          <TrailNews trail={trail} />
          {entry === undefined && !trail.settle.isIdle && (
            <Suspense fallback={null}>
              <SettleNews settle={trail.settle} />
            </Suspense>
          )}
          {unknown.data && search.outcome !== 'unknown' && (
            <Suspense fallback={null}>
              <UnknownOutcomes
                entries={unknown.data}
                settle={trail.settle}
                onOpen={open}
                onShowAll={() => {
                  setFilterOpen(true);
                  change({ outcome: 'unknown', problem: undefined }, true);
                }}
              />
            </Suspense>
          )}
        </div>
      </ListPage>
      {entry !== undefined && (
        <Suspense fallback={null}>
          <EntryPanel
            sequence={entry}
            listed={[...entries, ...(unknown.data ?? [])].find((row) => idOf(row) === entry)}
            settle={trail.settle}
            onClose={() => {
              change({ entry: undefined });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** Ten minutes around a time. */
function around(time: string): { readonly from: string; readonly to: string } {
  const at = (minutes: number): string => new Date(Date.parse(time) + minutes * 60_000).toISOString();
  return { from: at(-5), to: at(5) };
}

/** The result of verifying or an error of an action on the trail. */
function TrailNews({ trail: { verify, save } }: { trail: Trail }) {
  const problem = verify.error ?? save.error;
  return (
    <>
      {verify.data && (
        <Suspense fallback={null}>
          <VerificationNews verification={verify.data} onClose={verify.reset} />
        </Suspense>
      )}
      {problem && (
        <Banner
          tone="danger"
          title={wordsOf(problem).title}
          onClose={() => {
            verify.reset();
            save.reset();
          }}
        >
          {verify.error && isApiError(verify.error, 'forbidden')
            ? 'Only an administrator of the environment can verify the whole trail.'
            : wordsOf(problem).detail}
        </Banner>
      )}
    </>
  );
}

function TrailActions({ trail: { verify, save, check, exportAll } }: { trail: Trail }) {
  return (
    <>
      <Button size={28} icon={ShieldCheck} shortcut="v" isPending={verify.isPending} onPress={check}>
        Verify
      </Button>
      <Button size={28} icon={Download} isPending={save.isPending} onPress={exportAll}>
        Export
      </Button>
    </>
  );
}
