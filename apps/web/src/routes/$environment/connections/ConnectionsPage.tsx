import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Connection, Environment, Session } from '@gatehouse/api-types/console/session';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { EnvironmentBadge } from '@gatehouse/ui/environment';
import { lazy } from '@gatehouse/ui/lazy';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useNow } from '@gatehouse/ui/time';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useRouterState } from '@tanstack/react-router';
import { Cable, RotateCw } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useEnvironment, useSession } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { Failure } from '#components/errors/Failure.tsx';
import { endingBefore, formatSpan } from '#components/sessions/outlive.ts';
import { serviceLabels } from '#lib/error-words.ts';
import { queryClient } from '#lib/query-client.ts';
import { connectionsQuery, sessionsQuery } from '#queries/session.ts';
import { ConnectionRow } from './ConnectionRow.tsx';
import { SessionsCard } from './SessionsCard.tsx';

export const Route = createFileRoute('/$environment/connections/')({
  loader: () => {
    void queryClient.prefetchQuery(connectionsQuery);
    void queryClient.prefetchQuery(sessionsQuery);
  },
  component: ConnectionsPage,
});

const ConnectAll = lazy(async () => ({ default: (await import('./ConnectAll.tsx')).ConnectAll }));

function ConnectionsPage() {
  usePageTitle('Connections');
  const session = useSession();
  const current = useEnvironment();
  const connections = useQuery(connectionsQuery);
  useScrollToHash();
  // The current environment comes first.
  const environments = session.environments.toSorted(
    (a, b) => Number(b.id === current.id) - Number(a.id === current.id),
  );
  return (
    <>
      <PageHeader
        icon={Cable}
        title="Connections"
        actions={
          <Button
            size={28}
            icon={RotateCw}
            isPending={connections.isFetching}
            onPress={() => void connections.refetch()}
          >
            Check now
          </Button>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex w-full max-w-280 flex-col gap-6 p-4 narrow:p-6">
          {connections.data && <OutliveNote session={session} connections={connections.data} />}
          {connections.isPending && <SkeletonList label="Loading connections" lines={6} />}
          {connections.isError && !connections.data && (
            <Failure error={connections.error} onRetry={() => void connections.refetch()} />
          )}
          {connections.data &&
            environments.map((environment) => (
              <EnvironmentCard
                key={environment.id}
                environment={environment}
                session={session}
                connections={connections.data}
              />
            ))}
          <SessionsCard />
        </div>
      </div>
    </>
  );
}

/** An environment's services. */
function EnvironmentCard({
  environment,
  session,
  connections,
}: {
  environment: Environment;
  session: Session;
  /** In all environments. */
  connections: readonly Connection[];
}) {
  const [opened, setOpened] = useState<readonly ServiceName[]>();
  const [isOpen, setOpen] = useState(false);
  const own = connections.filter((item) => item.environment === environment.id);
  if (own.length === 0) return null;
  const missing = own.flatMap(({ service, state, methods }) =>
    (state === 'not-connected' || state === 'expired') && methods.includes('password') ? [service] : [],
  );
  return (
    <Card
      isFlush
      title={
        <span className="flex items-center gap-2">
          <EnvironmentBadge kind={environment.kind} name={environment.name} />
          <span className="font-normal text-ink-2">{summaryOf(own)}</span>
        </span>
      }
      actions={
        missing.length > 1 && (
          <Button
            size={28}
            onPress={() => {
              setOpened(missing);
              setOpen(true);
            }}
          >
            Connect {missing.length} services
          </Button>
        )
      }
    >
      <ul>
        {own.map((connection) => (
          <ConnectionRow
            key={connection.service}
            connection={connection}
            session={session}
            environmentName={environment.name}
          />
        ))}
      </ul>
      {opened !== undefined && (
        <Suspense fallback={null}>
          <ConnectAll
            environment={environment}
            session={session}
            services={opened}
            connections={connections}
            isOpen={isOpen}
            onClose={() => {
              setOpen(false);
            }}
          />
        </Suspense>
      )}
    </Card>
  );
}

function summaryOf(connections: readonly Connection[]): string {
  const inState = (wanted: Connection['state']): number =>
    connections.filter(({ state }) => state === wanted).length;
  const [connected, denied] = [inState('connected'), inState('no-access')];
  if (connected === connections.length) return 'all connected';
  return `${String(connected)} of ${String(connections.length)} connected${denied === 0 ? '' : `, no access to ${String(denied)}`}`;
}

/** Scrolls to the address's hash, even if that part appears later. */
function useScrollToHash(): void {
  const hash = useRouterState({ select: (state) => state.location.hash });
  useEffect(() => {
    if (hash === '') return;
    document.getElementById(hash)?.scrollIntoView({ block: 'start' });
  }, [hash]);
}

/** Warns of tokens that expire before your session. */
function OutliveNote({ session, connections }: { session: Session; connections: readonly Connection[] }) {
  const now = useNow();
  const [first, ...others] = endingBefore(session, connections);
  if (!first) return null;
  const { connection, byMs } = first;
  const left = Date.parse(connection.expires_at ?? '') - now;
  const name =
    session.environments.find(({ id }) => id === connection.environment)?.name ?? connection.environment;
  return (
    <Banner
      tone={left < 15 * 60_000 ? 'warn' : 'info'}
      announce="none"
      title={`Your token at the ${serviceLabels[connection.service].toLowerCase()} of ${name} ends before your session`}
    >
      It lasts {formatSpan(left)} more, {formatSpan(byMs)} less than the session. Reconnect before longer
      work.
      {others.length > 0 &&
        ` ${String(others.length)} other ${others.length === 1 ? 'token also ends' : 'tokens also end'} before your session.`}
    </Banner>
  );
}
