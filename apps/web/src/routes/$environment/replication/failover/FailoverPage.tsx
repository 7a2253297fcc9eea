import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { createFileRoute } from '@tanstack/react-router';
import { ArrowLeftRight, Printer } from 'lucide-react';
import { Suspense, useEffect, useEffectEvent } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { useSearchState } from '#components/list/use-search-state.ts';
import { guidesHref, replicationHref } from '#components/places/replication.ts';
import { Waiting } from '#components/record/Waiting.tsx';
import { useShortcut } from '#lib/shortcuts.ts';
import type { Cluster } from '../-clusters/cluster.ts';
import { ClusterPolls } from '../-clusters/ClusterPolls.tsx';
import { useClusters } from '../-clusters/use-clusters.ts';
import { proposed } from '../-failover/proposed.ts';
import { StepList } from '../-failover/StepList.tsx';
import '../-failover/runbook.css';
import { useChange } from '../-failover/use-change.ts';
import { failoverSearch } from './failover-search.ts';

export const Route = createFileRoute('/$environment/replication/failover/')({
  validateSearch: failoverSearch.parse,
  component: FailoverPage,
});

const Choices = lazy(async () => ({ default: (await import('../-failover/Choices.tsx')).Choices }));
const Finished = lazy(async () => ({ default: (await import('../-failover/Finished.tsx')).Finished }));
const ConnectClusters = lazy(async () => ({
  default: (await import('../-clusters/ConnectClusters.tsx')).ConnectClusters,
}));

const print = (): void => {
  window.print();
};

/** Plans a role change as verified steps, runs them one at a time, and prints them as a runbook. */
function FailoverPage() {
  usePageTitle('Failover planner');
  const environment = useEnvironment();
  const { clusters, refetch, readAt } = useClusters();
  useShortcut({ keys: 'p', label: 'Print the runbook', group: 'Failover planner', run: print });
  useShortcut({ keys: 'r', label: 'Verify again', group: 'Failover planner', run: refetch });
  return (
    <>
      <ClusterPolls seconds={3} />
      <PageHeader
        icon={ArrowLeftRight}
        title="Failover planner"
        ancestors={[{ id: 'replication', label: 'Replication', href: replicationHref(environment.id) }]}
        actions={
          <>
            <Button size={28} icon={Printer} shortcut="p" onPress={print}>
              Print
            </Button>
            <LinkButton size={28} href={guidesHref(environment.id)}>
              Recovery guides
            </LinkButton>
          </>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {clusters === undefined ? (
          <Waiting query={undefined} label="Loading the clusters" />
        ) : (
          // Shown as a whole, because parts that appear later would move the button that is being pressed.
          <Suspense fallback={<Waiting query={undefined} label="Loading the clusters" />}>
            <Planner clusters={clusters} readAt={readAt} onVerify={refetch} />
          </Suspense>
        )}
      </div>
    </>
  );
}

function Planner({
  clusters,
  readAt,
  onVerify,
}: {
  clusters: readonly Cluster[];
  readAt: number;
  onVerify: () => void;
}) {
  const [search, setSearch] = useSearchState(failoverSearch);
  const named = proposed(clusters, search);
  const { change, steps, markEqual, confirm, said, say } = useChange(clusters, named);
  // Puts the roles into the address: during the change, no primary may exist to propose, even after a reload.
  const { kind, from, to } = named;
  const isNamed = search.kind !== undefined && search.from !== undefined && search.to !== undefined;
  const name = useEffectEvent(() => {
    if (from !== undefined && to !== undefined) setSearch({ kind, from, to });
  });
  useEffect(() => {
    if (!isNamed) name();
  }, [isNamed, kind, from, to]);
  const isDone = steps.length > 0 && steps.every(({ state }) => state === 'done');
  return (
    <div data-runbook className="mx-auto flex w-full max-w-220 flex-col gap-5 p-4 wide:p-6">
      <div data-screen-only className="flex flex-col gap-4">
        <p className="text-body text-ink-2">
          Each step states its effect on data and is verified before the next step can begin. No step disables
          replication, which would change a cluster ID, or adds a secondary, which would wipe a cluster. You
          can leave and come back: progress is read from the state of the clusters. Only comparisons and your
          confirmations have to be repeated.
        </p>
        <Choices clusters={clusters} search={named} onChange={setSearch} />
        <ConnectClusters
          clusters={clusters.filter(({ place }) => place.id === named.from || place.id === named.to)}
        />
      </div>
      {change === undefined ? (
        <Banner tone="info" title="Choose two clusters" announce="none">
          Choose the current primary, and the secondary that replaces it.
        </Banner>
      ) : (
        <>
          <div data-print-only className="hidden">
            <h2 className="text-title font-semibold">
              {change.kind === 'planned' ? 'Planned' : 'Unplanned'} role change: {change.from.name} to{' '}
              {change.to.name}
            </h2>
            <p>
              State of the clusters at <Time value={readAt} />.
            </p>
          </div>
          <StepList
            steps={steps}
            clusters={clusters}
            onVerify={onVerify}
            onCompared={markEqual}
            onConfirm={confirm}
            said={said}
            onSaid={say}
          />
          {isDone && (
            <Suspense fallback={null}>
              <Finished change={change} clusters={clusters} />
            </Suspense>
          )}
        </>
      )}
    </div>
  );
}
