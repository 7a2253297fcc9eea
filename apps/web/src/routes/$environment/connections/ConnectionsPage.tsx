import type { Connection, Session } from '@gatehouse/api-types/console/session';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { EnvironmentBadge } from '@gatehouse/ui/environment';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useNow } from '@gatehouse/ui/time';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { Cable, RotateCw } from 'lucide-react';
import { useEffect } from 'react';
import { useEnvironment, useSession } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { Failure } from '#components/errors/Failure.tsx';
import { endingBefore, formatSpan } from '#components/sessions/outlive.ts';
import { serviceLabels } from '#lib/error-words.ts';
import { connectionsQuery } from '#queries/session.ts';
import { ConnectionRow } from './ConnectionRow.tsx';
import { SessionsCard } from './SessionsCard.tsx';

export function ConnectionsPage() {
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
            environments.map((environment) => {
              const own = connections.data.filter((item) => item.environment === environment.id);
              return own.length === 0 ? null : (
                <Card
                  key={environment.id}
                  isFlush
                  title={
                    <span className="flex items-center gap-2">
                      <EnvironmentBadge kind={environment.kind} name={environment.name} />
                      <span className="font-normal text-ink-2">{summaryOf(own)}</span>
                    </span>
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
                </Card>
              );
            })}
          <SessionsCard />
        </div>
      </div>
    </>
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
