import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { Button, buttonClass } from '@gatehouse/ui/button';
import { Checkbox } from '@gatehouse/ui/checkbox';
import { DataGrid } from '@gatehouse/ui/data-grid';
import { EmptyState, NoMatches } from '@gatehouse/ui/empty-state';
import { SessionIcon, TargetIcon } from '@gatehouse/ui/icon';
import { IconButton } from '@gatehouse/ui/icon-button';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SearchField } from '@gatehouse/ui/search-field';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { Toolbar } from '@gatehouse/ui/toolbar';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Ban, Copy, Eye, RotateCw } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { useEnvironment, useSession } from '#components/layout/use-environment.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { reasonAgainstCancel, sessionLabel, statusWords } from '#components/sessions/session-words.ts';
import { useGridView } from '#components/table/use-grid-view.ts';
import { usePolling } from '#lib/polling.ts';
import { useSearchShortcut, useShortcut } from '#lib/shortcuts.ts';
import { accessSessionsPoll, accessSessionsQuery, sessionsAtOnce } from '#queries/access-sessions.ts';
import { useShortcutsSetting } from '#queries/settings.ts';
import { sortingOf, sortText } from '../targets/targets-search.ts';
import { sessionColumns, sessionView } from './session-columns.tsx';
import { sessionStatuses, type SessionsSearch } from './sessions-search.ts';

const QuietTime = lazy(async () => ({ default: (await import('./QuietTime.tsx')).QuietTime }));
const SessionPanel = lazy(async () => ({ default: (await import('./SessionPanel.tsx')).SessionPanel }));
const CancelSession = lazy(async () => ({ default: (await import('./CancelSession.tsx')).CancelSession }));
const route = getRouteApi('/$environment/sessions/');
const idOf = (session: AccessSession): string => session.id;
const anyStatus = 'any';

/** Who is connected to what, for how long, and the way to end it. The list renews itself. */
export function SessionsPage() {
  usePageTitle('Sessions');
  const environment = useEnvironment();
  const { person } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate();
  const withEnded = search.ended === true;
  const [most, setMost] = useState(sessionsAtOnce);
  const query = useQuery({
    ...accessSessionsQuery(environment.id, withEnded, most),
    // A longer list keeps showing the shorter one until it is there.
    placeholderData: (known, before) => (before?.queryKey.includes(withEnded) === true ? known : undefined),
  });
  const isWhole = query.data?.isComplete !== false;
  usePolling(
    accessSessionsPoll(environment.id, withEnded, most),
    withEnded || !isWhole ? 30 : 5,
    query.isSuccess && !query.isPlaceholderData,
  );
  const [view, setView] = useGridView('access-sessions', sessionView);
  const [hasLetterKeys] = useShortcutsSetting();
  const [canceling, setCanceling] = useState<AccessSession>();
  const all = query.data?.items;
  const rows = useMemo(() => (all ?? []).filter(accepting(search, person.id)), [all, search, person.id]);
  const isNarrowed = [search.q, search.status, search.mine, search.target, search.user].some(
    (value) => value !== undefined,
  );

  const to = '/$environment/sessions';
  const params = { environment: environment.id };
  const change = (next: Partial<Record<keyof SessionsSearch, unknown>>, isPlace = false): void => {
    void navigate({ to, params, search: { ...search, ...next } as SessionsSearch, replace: !isPlace });
  };
  const clear = (): void => {
    change({ q: undefined, status: undefined, mine: undefined, target: undefined, user: undefined });
  };
  const searchInput = useSearchShortcut('Search the sessions', 'Sessions');
  useShortcut({ keys: 'r', label: 'Load the list anew', group: 'Sessions', run: () => void query.refetch() });

  return (
    <>
      <PageHeader
        icon={SessionIcon}
        title="Sessions"
        actions={
          <IconButton
            icon={RotateCw}
            label="Load the list anew"
            shortcut="r"
            isPending={query.isFetching && all !== undefined}
            onPress={() => void query.refetch()}
          />
        }
        toolbar={
          <Toolbar
            label="Find sessions"
            end={
              <span className="flex items-center gap-4">
                <Checkbox
                  isSelected={search.mine === true}
                  onChange={(isOn) => {
                    change({ mine: isOn ? true : undefined });
                  }}
                >
                  Mine
                </Checkbox>
                <Checkbox
                  isSelected={withEnded}
                  onChange={(isOn) => {
                    change({
                      ended: isOn ? true : undefined,
                      ...(!isOn && search.status === 'terminated' && { status: undefined }),
                    });
                  }}
                >
                  Ended too
                </Checkbox>
              </span>
            }
          >
            <div className="w-full max-w-72 min-w-0">
              <SearchField
                label="Search person, target, endpoint, id"
                shortcut="/"
                value={search.q ?? ''}
                inputRef={searchInput}
                onChange={(text) => {
                  change({ q: text === '' ? undefined : text });
                }}
              />
            </div>
            <span className="hidden narrow:flex">
              <SegmentedControl
                label="State"
                value={search.status ?? anyStatus}
                onChange={(value) => {
                  change({
                    status: value === anyStatus ? undefined : value,
                    ...(value === 'terminated' && { ended: true }),
                  });
                }}
                segments={[
                  { value: anyStatus, label: 'Any state' },
                  ...sessionStatuses.map((status) => ({ value: status, label: statusWords(status).word })),
                ]}
              />
            </span>
          </Toolbar>
        }
      />
      {/* Of a part nobody can say when the last one ends. */}
      {query.data?.isComplete === true && (
        <Suspense fallback={null}>
          <QuietTime sessions={query.data.items} />
        </Suspense>
      )}
      {query.data && !isWhole && (
        <p
          role="status"
          className="flex flex-wrap items-center gap-x-2 border-b border-line bg-surface px-4 py-1.5 text-body text-ink-2"
        >
          The newest {query.data.items.length.toLocaleString('en')} of about{' '}
          {Math.max(query.data.estimate, query.data.items.length + 1).toLocaleString('en')} sessions are
          listed and searched.
          <Button
            size={28}
            variant="ghost"
            isPending={query.isPlaceholderData}
            onPress={() => {
              setMost(most + sessionsAtOnce);
            }}
          >
            List {sessionsAtOnce.toLocaleString('en')} more
          </Button>
        </p>
      )}
      {(search.target !== undefined || search.user !== undefined) && (
        <p className="flex items-center gap-2 border-b border-line bg-surface px-4 py-1.5 text-body text-ink-2">
          Only those of {search.target !== undefined ? 'target' : 'person'}{' '}
          <span className="font-mono text-meta">{search.target ?? search.user}</span>
          <Button
            size={28}
            variant="ghost"
            onPress={() => {
              change({ target: undefined, user: undefined });
            }}
          >
            Show all
          </Button>
        </p>
      )}
      <div className="flex min-h-0 flex-1 flex-col">
        <DataGrid<AccessSession>
          label="Sessions"
          noun={{ one: 'session', many: 'sessions' }}
          columns={sessionColumns}
          rows={rows}
          rowId={idOf}
          rowLabel={sessionLabel}
          status={query.isError ? 'failed' : query.isPending ? 'loading' : 'ready'}
          rowHref={({ id }) => `/${environment.id}/sessions?session=${encodeURIComponent(id)}`}
          onOpen={({ id }) => {
            change({ session: id }, true);
          }}
          rowActions={(session) => [
            {
              id: 'open',
              label: 'Details',
              icon: Eye,
              onAction: () => {
                change({ session: session.id }, true);
              },
            },
            {
              id: 'target',
              label: 'Go to the target',
              icon: TargetIcon,
              href: `/${environment.id}/targets/${encodeURIComponent(session.target_id)}`,
            },
            {
              id: 'copy-id',
              label: 'Copy id',
              icon: Copy,
              onAction: () => void navigator.clipboard.writeText(session.id),
            },
            'separator',
            {
              id: 'cancel',
              label: 'Cancel session',
              icon: Ban,
              isDanger: true,
              disabledReason: reasonAgainstCancel(session),
              onAction: () => {
                setCanceling(session);
              },
            },
          ]}
          sorting={sortingOf(search.sort === undefined ? {} : { sort: search.sort })}
          onSortingChange={(sorting) => {
            change({ sort: sortText(sorting) });
          }}
          sortedBy="here"
          view={view}
          onViewChange={setView}
          hasLetterKeys={hasLetterKeys}
          empty={
            isNarrowed ? (
              <NoMatches
                title={isWhole ? 'No session matches.' : 'None of the sessions that are listed matches.'}
                action={
                  <Button size={28} onPress={clear}>
                    Show all sessions
                  </Button>
                }
              />
            ) : (
              <EmptyState
                icon={SessionIcon}
                title={withEnded ? 'No sessions yet' : 'No live sessions'}
                action={
                  <Link
                    to="/$environment/targets"
                    params={params}
                    className={buttonClass({ variant: 'primary' })}
                  >
                    Choose a target
                  </Link>
                }
                command="boundary targets authorize-session -id ttcp_1234567890"
              >
                A session is a person's permission to reach a target for a while. It begins by authorizing
                one.
              </EmptyState>
            )
          }
          error={<Failure error={query.error} onRetry={() => void query.refetch()} />}
        />
      </div>
      {search.session !== undefined && canceling === undefined && (
        <Suspense fallback={null}>
          <SessionPanel
            id={search.session}
            listed={all?.find(({ id }) => id === search.session)}
            onCancel={setCanceling}
            onClose={() => {
              change({ session: undefined });
            }}
          />
        </Suspense>
      )}
      {canceling && (
        <Suspense fallback={null}>
          <CancelSession
            session={canceling}
            onClose={() => {
              setCanceling(undefined);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

function accepting(search: SessionsSearch, me: string): (session: AccessSession) => boolean {
  const needle = (search.q ?? '').trim().toLowerCase();
  return (session) =>
    (search.status === undefined || session.status === search.status) &&
    (search.mine === undefined || session.user_id === me) &&
    (search.target === undefined || session.target_id === search.target) &&
    (search.user === undefined || session.user_id === search.user) &&
    (needle === '' ||
      [
        session.id,
        session.user_name,
        session.user_id,
        session.target_name,
        session.target_id,
        session.endpoint,
        session.host_id,
      ].some((text) => text.toLowerCase().includes(needle)));
}
