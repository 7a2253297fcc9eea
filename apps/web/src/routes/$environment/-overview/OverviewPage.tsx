import { GateIcon } from '@gatehouse/ui/icon';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useEnvironment, useSession } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { hasService } from '#lib/has-service.ts';
import { usePolling } from '#lib/polling.ts';
import { accessSessionsQuery } from '#queries/access-sessions.ts';
import { newestTargetsQuery } from '#queries/access.ts';
import { newestBoxesQuery } from '#queries/boxes.ts';
import { newestModulesQuery } from '#queries/modules.ts';
import { secretDatesQuery } from '#queries/secret-metadata.ts';
import { connectionsQuery, sessionsQuery } from '#queries/session.ts';
import { AttentionCard } from './AttentionCard.tsx';
import { FavoritesCard } from './FavoritesCard.tsx';
import { FirstStepsCard } from './FirstStepsCard.tsx';
import { HorizonCard } from './HorizonCard.tsx';
import { LiveSessionsCard } from './LiveSessionsCard.tsx';
import { RecentBoxesCard } from './RecentBoxesCard.tsx';
import { RecentModulesCard } from './RecentModulesCard.tsx';
import { RecentTargetsCard } from './RecentTargetsCard.tsx';
import { ServicesCard } from './ServicesCard.tsx';
import { TargetCountsCard, useTargetCounts } from './TargetCountsCard.tsx';
import { useFirstSteps } from './use-first-steps.ts';
import { useMatters } from './use-matters.ts';

/** The other cards appear after this time though a service hasn't answered yet, in ms. */
const longestWaitMs = 5_000;

/**
 * The environment's content, health and open issues. A card appears once the height of those above it is known, so that
 * nothing moves while the page loads.
 */
export function OverviewPage() {
  usePageTitle('Overview');
  const environment = useEnvironment();
  const session = useSession();
  const connections = useQuery(connectionsQuery);
  const sessions = useQuery(sessionsQuery);
  const { data } = connections;
  const own = data?.filter((item) => item.environment === environment.id);
  const connected = new Set(own?.filter(({ state }) => state === 'connected').map(({ service }) => service));
  // While the connections are unknown, an existing service is queried anyway.
  const isConnected = hasService(environment, 'access') && (own === undefined || connected.has('access'));
  const [hasBoxes, hasModules] = [connected.has('boxes'), connected.has('modules')];
  const accessSessions = useQuery({
    ...accessSessionsQuery(environment.id, false),
    enabled: own !== undefined && isConnected,
  });
  // Same interval as the list of sessions.
  usePolling(
    accessSessionsQuery(environment.id, false),
    accessSessions.data?.isComplete === false ? 30 : 5,
    isConnected && accessSessions.isSuccess,
  );
  const targetCounts = useTargetCounts(environment.id, isConnected);
  const newestTargets = useQuery({ ...newestTargetsQuery(environment.id), enabled: isConnected });
  // Fetched immediately, though their cards appear last.
  const newestBoxes = useQuery({ ...newestBoxesQuery(environment.id), enabled: hasBoxes });
  useQuery({ ...newestModulesQuery(environment.id), enabled: hasModules });
  const dates = useQuery({ ...secretDatesQuery(environment.id), enabled: connected.has('secrets') });
  const checks = useMatters(session, environment.id, { data: own, isError: connections.isError }, connected);
  const firstSteps = useFirstSteps(environment, own);
  const areMattersShown = useOnceOrLate(
    environment.id,
    firstSteps.isKnown && checks.every(({ state }) => state !== 'checking'),
  );
  const isHorizonKnown = [connections, sessions, accessSessions, dates].every(({ isLoading }) => !isLoading);
  const areCountsKnown = areMattersShown && isHorizonKnown && targetCounts.isKnown;
  return (
    <>
      <PageHeader icon={GateIcon} title="Overview" />
      <div className="min-h-0 flex-1 overflow-y-scroll">
        <div className="mx-auto flex w-full max-w-300 flex-col gap-4 p-4 narrow:p-6">
          <AttentionCard checks={checks} />
          {areMattersShown && <FirstStepsCard {...firstSteps} />}
          {areMattersShown && <FavoritesCard environment={environment.id} />}
          {areMattersShown && (
            <HorizonCard
              environment={environment.id}
              session={session}
              connections={data}
              sessions={sessions.data}
              accessSessions={accessSessions.data?.items}
              dates={dates.data}
              isKnown={isHorizonKnown}
            />
          )}
          {areMattersShown && isHorizonKnown && (
            <div className="grid grid-cols-1 gap-4 wide:grid-cols-2">
              <div className="flex flex-col gap-4 *:last:grow">
                <ServicesCard environment={environment} connections={own} />
                {isConnected && <LiveSessionsCard environment={environment.id} query={accessSessions} />}
              </div>
              {isConnected && <TargetCountsCard environment={environment.id} of={targetCounts} />}
            </div>
          )}
          {areCountsKnown && isConnected && <RecentTargetsCard environment={environment.id} />}
          {areCountsKnown && !newestTargets.isLoading && hasBoxes && (
            <RecentBoxesCard environment={environment.id} />
          )}
          {areCountsKnown && !newestTargets.isLoading && !newestBoxes.isLoading && hasModules && (
            <RecentModulesCard environment={environment.id} />
          )}
        </div>
      </div>
    </>
  );
}

/** Whether something has been true, or took too long, since an environment was opened. */
function useOnceOrLate(environment: string, isTrue: boolean): boolean {
  const [after, setAfter] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setAfter(environment), isTrue ? 0 : longestWaitMs);
    return () => clearTimeout(timer);
  }, [environment, isTrue]);
  return isTrue || after === environment;
}
