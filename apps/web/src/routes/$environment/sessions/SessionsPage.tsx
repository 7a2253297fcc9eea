import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { Button } from '@gatehouse/ui/button';
import { emptyGridSelection, type GridSelection } from '@gatehouse/ui/data-grid';
import { SessionIcon, TargetIcon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import type { MenuEntry } from '@gatehouse/ui/menu';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Ban, Copy, Eye, Funnel } from 'lucide-react';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { bucketsOf } from '#components/histogram/buckets.ts';
import { ListPage } from '#components/list/ListPage.tsx';
import { idOf } from '#components/list/row-id.ts';
import { useSearchState } from '#components/list/use-search-state.ts';
import { useWholeList } from '#components/list/use-whole-list.ts';
import { reasonAgainstCancel, sessionLabel } from '#components/sessions/session-words.ts';
import { copyText } from '#lib/copy-text.ts';
import { usePolling } from '#lib/polling.ts';
import { queryClient } from '#lib/query-client.ts';
import { accessSessionsQuery, sessionsAtOnce } from '#queries/access-sessions.ts';
import { useConnection } from '#queries/session.ts';
import { useZoneSetting } from '#queries/settings.ts';
import { sessionColumns, sessionView } from './session-columns.tsx';
import { SessionSwitches, StateFilter } from './SessionFilters.tsx';
import { sessionsSearch, type SessionsSearch } from './sessions-search.ts';

export const Route = createFileRoute('/$environment/sessions/')({
  validateSearch: sessionsSearch.parse,
  loaderDeps: ({ search: { ended } }) => ({ ended: ended === true }),
  loader: ({ params: { environment }, deps: { ended } }) => {
    void queryClient.prefetchQuery(accessSessionsQuery(environment, ended));
  },
  component: SessionsPage,
});

const Histogram = lazy(async () => ({
  default: (await import('#components/histogram/Histogram.tsx')).Histogram,
}));
const QuietTime = lazy(async () => ({ default: (await import('./QuietTime.tsx')).QuietTime }));
const SessionPanel = lazy(async () => ({ default: (await import('./SessionPanel.tsx')).SessionPanel }));
const CancelSessions = lazy(async () => ({ default: (await import('./CancelSession.tsx')).CancelSessions }));
const withoutFilters = {
  q: undefined,
  status: undefined,
  mine: undefined,
  target: undefined,
  user: undefined,
  from: undefined,
  to: undefined,
} as const;
const noun = { one: 'session', many: 'sessions' };
const note = 'flex items-center gap-2 border-b border-line bg-surface px-4 py-1.5 text-body text-ink-2';

/** Who is connected to what and for how long, with an action to cancel. The list refreshes automatically. */
function SessionsPage() {
  const environment = useEnvironment();
  const me = useConnection(environment.id, 'access')?.account?.id;
  const [search, change] = useSearchState(sessionsSearch);
  const [zone] = useZoneSetting();
  const { query, isWhole, more } = useSessions(environment.id, search.ended === true);
  const [canceling, setCanceling] = useState<readonly AccessSession[]>();
  const [selection, setSelection] = useState<GridSelection>(emptyGridSelection);
  const all = query.data?.items;
  const items = useMemo(() => all?.filter(accepting(search, me)), [all, search, me]);
  const list = useWholeList<AccessSession>([search, change], {
    items,
    columns: sessionColumns,
    rowId: idOf,
    noun,
    finds: 'Search person, target, endpoint, ID',
    firstSort: '-created_time',
    textsOf,
  });
  const selected = useMemo(
    () => (items ?? []).filter(({ id }) => selection.kind !== 'rows' || selection.ids.has(id)),
    [items, selection],
  );
  const { status, mine, target, user, from, to } = search;
  const onlyName =
    target === undefined
      ? all?.find(({ user_id: id }) => id === user)?.user_name
      : all?.find(({ target_id: id }) => id === target)?.target_name;
  const isNarrowed = list.find.text !== '' || [status, mine, target, user, from, to].some(Boolean);
  const clear = (): void => {
    list.find.write('');
    change(withoutFilters);
  };
  const open = ({ id }: AccessSession): void => {
    change({ session: id }, true);
  };
  return (
    <>
      <ListPage<AccessSession>
        {...list}
        title="Sessions"
        icon={SessionIcon}
        list="access-sessions"
        firstView={sessionView}
        query={query}
        rowLabel={sessionLabel}
        rowHref={({ id }) => `/${environment.id}/sessions?session=${encodeURIComponent(id)}`}
        onOpen={open}
        rowActions={(session) =>
          sessionActions(session, environment.id, {
            open: () => {
              open(session);
            },
            cancel: () => {
              setCanceling([session]);
            },
            only: (wanted) => {
              change(wanted);
            },
          })
        }
        selection={selection}
        onSelectionChange={setSelection}
        bulkActions={
          <Button
            size={28}
            icon={Ban}
            disabledReason={selected.map(reasonAgainstCancel).find(Boolean)}
            onPress={() => {
              setCanceling(selected);
            }}
          >
            Cancel sessions
          </Button>
        }
        find={{ ...list.find, width: 'max-w-72' }}
        filters={{
          after: <StateFilter search={search} onChange={change} />,
          end: <SessionSwitches search={search} onChange={change} />,
        }}
        narrowed={
          isNarrowed
            ? {
                title: isWhole ? 'No session matches.' : 'None of the listed sessions match.',
                label: 'Show all sessions',
                onClear: clear,
              }
            : undefined
        }
        empty={{
          title: search.ended === true ? 'No sessions you can see' : 'No open sessions you can see',
          about:
            "A session is a user's permission to reach a target for a limited time. Authorize one to start.",
          command: 'boundary targets authorize-session -id ttcp_1234567890',
          action: (
            <LinkButton href={`/${environment.id}/targets`} variant="primary">
              Choose a target
            </LinkButton>
          ),
        }}
      >
        {search.ended === true && (
          <Suspense fallback={<div className="min-h-14" />}>
            <Histogram
              label="Sessions over time"
              buckets={items && bucketsOf(items.map(startOf), zone)}
              noun={noun}
              onChoose={(from, to) => {
                change({ from, to }, true);
              }}
            />
          </Suspense>
        )}
        {/* Only a complete list shows when the last session ends. */}
        {query.data?.isComplete === true && (
          <Suspense fallback={null}>
            <QuietTime sessions={query.data.items} />
          </Suspense>
        )}
        {query.data && !isWhole && (
          <p role="status" className={`${note} flex-wrap gap-x-2`}>
            The newest {query.data.items.length.toLocaleString('en')} of about{' '}
            {Math.max(query.data.estimate, query.data.items.length + 1).toLocaleString('en')} sessions are
            listed and searched.
            <Button size={28} variant="ghost" isPending={query.isPlaceholderData} onPress={more}>
              List {sessionsAtOnce.toLocaleString('en')} more
            </Button>
          </p>
        )}
        {(target ?? user) !== undefined && (
          <Only
            onClear={() => {
              change({ target: undefined, user: undefined });
            }}
          >
            Showing only sessions of {target !== undefined ? 'target' : 'person'}{' '}
            {onlyName || <span className="font-mono text-meta">{target ?? user}</span>}
          </Only>
        )}
        {(from ?? to) !== undefined && (
          <Only
            onClear={() => {
              change({ from: undefined, to: undefined });
            }}
          >
            Showing only sessions that started
            {from !== undefined && (
              <>
                {' '}
                from <Time value={from} />
              </>
            )}
            {to !== undefined && (
              <>
                {' '}
                before <Time value={to} />
              </>
            )}
          </Only>
        )}
      </ListPage>
      {search.session !== undefined && canceling === undefined && (
        <Suspense fallback={null}>
          <SessionPanel
            id={search.session}
            listed={all?.find(({ id }) => id === search.session)}
            onCancel={(session) => {
              setCanceling([session]);
            }}
            onClose={() => {
              change({ session: undefined });
            }}
          />
        </Suspense>
      )}
      {canceling && (
        <Suspense fallback={null}>
          <CancelSessions
            sessions={canceling}
            onClose={(canceled) => {
              setCanceling(undefined);
              if (canceled.length > 0) setSelection(emptyGridSelection);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** The sessions, refreshed automatically; `more` loads more if one response can't contain all. */
function useSessions(environment: string, withEnded: boolean) {
  const [most, setMost] = useState(sessionsAtOnce);
  const query = useQuery({
    ...accessSessionsQuery(environment, withEnded, most),
    // Keeps showing the shorter list while a longer one loads.
    placeholderData: (known, before) => (before?.queryKey.includes(withEnded) === true ? known : undefined),
  });
  const isWhole = query.data?.isComplete !== false;
  usePolling(
    accessSessionsQuery(environment, withEnded, most),
    withEnded || !isWhole ? 30 : 5,
    query.isSuccess && !query.isPlaceholderData,
  );
  const more = (): void => {
    setMost(most + sessionsAtOnce);
  };
  return { query, isWhole, more };
}

/** Says which part of the list is shown. */
function Only({ children, onClear }: { children: ReactNode; onClear: () => void }) {
  return (
    <p className={note}>
      <span>{children}</span>
      <Button size={28} variant="ghost" onPress={onClear}>
        Show all
      </Button>
    </p>
  );
}

const startOf = ({ created_time: start }: AccessSession): number => Date.parse(start);

function accepting(
  { status, mine, target, user, from = '', to = '' }: SessionsSearch,
  me: string | undefined,
) {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return (session: AccessSession): boolean =>
    !(startOf(session) < first) &&
    !(startOf(session) >= last) &&
    (status === undefined || session.status === status) &&
    (mine === undefined || session.user_id === me) &&
    (target === undefined || session.target_id === target) &&
    (user === undefined || session.user_id === user);
}

function textsOf(session: AccessSession): readonly string[] {
  const { id, user_name, user_id, target_name, target_id, endpoint, host_id } = session;
  return [id, user_name, user_id, target_name, target_id, endpoint, host_id];
}

/** The actions on one session, with reasons against those that aren't possible. */
function sessionActions(
  session: AccessSession,
  environment: string,
  {
    open,
    cancel,
    only,
  }: {
    open: () => void;
    cancel: () => void;
    only: (wanted: Pick<SessionsSearch, 'user' | 'target'>) => void;
  },
): readonly MenuEntry[] {
  return [
    { id: 'open', label: 'Details', icon: Eye, onAction: open },
    {
      id: 'target',
      label: 'Go to the target',
      icon: TargetIcon,
      href: `/${environment}/targets/${encodeURIComponent(session.target_id)}`,
    },
    {
      id: 'of-user',
      label: 'All sessions of this person',
      icon: Funnel,
      onAction: () => {
        only({ user: session.user_id, target: undefined });
      },
    },
    {
      id: 'of-target',
      label: 'All sessions on this target',
      icon: Funnel,
      onAction: () => {
        only({ target: session.target_id, user: undefined });
      },
    },
    { id: 'copy-id', label: 'Copy ID', icon: Copy, onAction: () => void copyText(session.id, 'ID') },
    'separator',
    {
      id: 'cancel',
      label: 'Cancel session',
      icon: Ban,
      isDanger: true,
      disabledReason: reasonAgainstCancel(session),
      onAction: cancel,
    },
  ];
}
