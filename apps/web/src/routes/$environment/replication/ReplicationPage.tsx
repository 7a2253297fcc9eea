import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { ErrorState } from '@gatehouse/ui/error-state';
import { ReplicationIcon } from '@gatehouse/ui/icon';
import { IconButton } from '@gatehouse/ui/icon-button';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { toasts } from '@gatehouse/ui/toast';
import { createFileRoute, useNavigate, useRouterState } from '@tanstack/react-router';
import { RotateCw, Unplug } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { tellFailure } from '#components/guards/tell-undoable.ts';
import { failoverHref, guidesHref, newSecondaryHref } from '#components/places/replication.ts';
import { Waiting } from '#components/record/Waiting.tsx';
import { queryClient } from '#lib/query-client.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { replicationQuery, useReplicationWrites } from '#queries/replication.ts';
import type { ActName } from './-actions/possible.ts';
import { PossibleActs } from './-actions/PossibleActs.tsx';
import { type Cluster, clusterAt } from './-clusters/cluster.ts';
import { ClusterPolls } from './-clusters/ClusterPolls.tsx';
import { ClustersDrawing } from './-clusters/ClustersDrawing.tsx';
import { lastWords } from './-clusters/link-words.ts';
import type { Topology } from './-clusters/topology.ts';
import { useClusters } from './-clusters/use-clusters.ts';
import { ClusterCard } from './ClusterCard.tsx';
import { ClusterNews } from './ClusterNews.tsx';

export const Route = createFileRoute('/$environment/replication/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(replicationQuery(environment));
  },
  component: ReplicationPage,
});

// It contains menus, so it loads after the clusters are drawn.
const SecondariesCard = lazy(async () => ({
  default: (await import('./SecondariesCard.tsx')).SecondariesCard,
}));
const loadActDialog = async () => ({ default: (await import('./-actions/ActDialog.tsx')).ActDialog });
const ActDialog = lazy(loadActDialog);
const preloadActDialog = (): void => {
  loadActDialog().catch(() => undefined);
};
const ConnectClusters = lazy(async () => ({
  default: (await import('./-clusters/ConnectClusters.tsx')).ConnectClusters,
}));
const CanaryNote = lazy(async () => ({ default: (await import('./-actions/CanaryNote.tsx')).CanaryNote }));
const HistoryCards = lazy(async () => ({
  default: (await import('./-history/HistoryCards.tsx')).HistoryCards,
}));
const WithoutReplication = lazy(async () => ({
  default: (await import('./WithoutReplication.tsx')).WithoutReplication,
}));
const group = 'Replication';

/** The clusters of all environments, their links, and the actions on this one. */
function ReplicationPage() {
  usePageTitle(group);
  const environment = useEnvironment();
  const navigate = useNavigate();
  const { clusters, topology, isFetching, refetch } = useClusters();
  const cluster = clusters && clusterAt(clusters, environment.id);
  const { asked, setAsked, canary, setCanary, begin } = useActs(environment.id);
  useShortcut({ keys: 'r', label: 'Refresh the clusters', group, run: refetch });
  useShortcut({
    keys: 'f',
    label: 'Failover planner',
    group,
    run: () => void navigate({ href: failoverHref(environment.id) }),
  });
  useShortcut({
    keys: 'i',
    label: 'Recovery guides',
    group,
    run: () => void navigate({ href: guidesHref(environment.id) }),
  });
  return (
    <>
      <ClusterPolls />
      <PageHeader
        icon={ReplicationIcon}
        title={group}
        actions={
          <>
            <IconButton
              icon={RotateCw}
              label="Refresh the clusters"
              shortcut="r"
              isPending={isFetching}
              onPress={refetch}
            />
            <LinkButton size={28} href={guidesHref(environment.id)}>
              Recovery guides
            </LinkButton>
            <LinkButton size={28} href={failoverHref(environment.id)}>
              Failover planner
            </LinkButton>
          </>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {clusters === undefined || topology === undefined || cluster === undefined ? (
          <Waiting query={undefined} label="Loading the clusters" />
        ) : (
          <div className="mx-auto flex w-full max-w-300 flex-col gap-4 p-4 wide:p-6">
            <ClusterNews clusters={clusters} topology={topology} here={environment.id} />
            {canary !== undefined && (
              <Suspense fallback={null}>
                <CanaryNote
                  seq={canary}
                  cluster={cluster}
                  topology={topology}
                  onClose={() => {
                    setCanary(undefined);
                  }}
                />
              </Suspense>
            )}
            <ClusterBody
              cluster={cluster}
              clusters={clusters}
              topology={topology}
              onAct={begin}
              onRetry={refetch}
            />
          </div>
        )}
      </div>
      {asked !== undefined && cluster !== undefined && clusters !== undefined && (
        <Suspense fallback={null}>
          <ActDialog
            act={asked}
            cluster={cluster}
            clusters={clusters}
            onClose={() => {
              setAsked(undefined);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** The actions on an environment's cluster: what each opens or asks first. */
function useActs(environment: string) {
  const navigate = useNavigate();
  const writes = useReplicationWrites();
  const [asked, setAsked] = useState<ActName>();
  const hash = useRouterState({ select: (state) => state.location.hash });
  useEffect(() => {
    if (hash === 'update-primary') setAsked(hash);
  }, [hash]);
  /** The sequence number of the last canary. */
  const [canary, setCanary] = useState<number>();
  const writeCanary = (): void => {
    writes.writeCanary(environment).then(
      ({ seq }) => {
        if (seq === null) toasts.ok({ title: 'Canary written' });
        else setCanary(seq);
      },
      (error: unknown) => {
        tellFailure(error, 'No canary was written');
      },
    );
  };
  const begin = (act: ActName): void => {
    if (act === 'add-secondary')
      void navigate({ href: newSecondaryHref(environment, { primary: environment }) });
    else if (act === 'become-secondary')
      void navigate({ href: newSecondaryHref(environment, { secondary: environment }) });
    else if (act === 'write-canary') writeCanary();
    else setAsked(act);
  };
  return { asked, setAsked, canary, setCanary, begin };
}

/** All clusters, and this environment's one with its details and actions. */
function ClusterBody({
  cluster,
  clusters,
  topology,
  onAct,
  onRetry,
}: {
  cluster: Cluster;
  clusters: readonly Cluster[];
  topology: Topology;
  onAct: (act: ActName) => void;
  onRetry: () => void;
}) {
  const here = cluster.place.id;
  const isWithout = cluster.mode === 'unsupported';
  return (
    <>
      {cluster.mode === 'unread' && <Unread cluster={cluster} onRetry={onRetry} />}
      {isWithout && (
        <Suspense fallback={<Waiting query={undefined} label="Loading the nodes" />}>
          <WithoutReplication environment={here} />
        </Suspense>
      )}
      {(!isWithout || topology.nodes.length > 1) && (
        <Card title="Clusters" footer="Includes all environments with a secrets server.">
          <ClustersDrawing topology={topology} here={here} />
        </Card>
      )}
      {cluster.mode !== 'unread' && !isWithout && (
        <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            <ClusterCard cluster={cluster} topology={topology} />
            {cluster.mode === 'primary' && (
              <Suspense fallback={null}>
                <SecondariesCard cluster={cluster} topology={topology} clusters={clusters} />
              </Suspense>
            )}
          </div>
          {/* Preloads the dialog, which takes the focus: keys pressed while it loads would be lost. */}
          <div onFocus={preloadActDialog} onPointerEnter={preloadActDialog}>
            <PossibleActs cluster={cluster} onAct={onAct} />
          </div>
        </div>
      )}
      {cluster.mode !== 'unread' && !isWithout && (
        <Suspense fallback={null}>
          {cluster.isSignedIn ? <HistoryCards cluster={cluster} /> : <ConnectClusters clusters={[cluster]} />}
        </Suspense>
      )}
    </>
  );
}

function Unread({
  cluster,
  onRetry,
}: {
  cluster: Extract<Cluster, { mode: 'unread' }>;
  onRetry: () => void;
}) {
  return (
    <ErrorState
      icon={Unplug}
      title={`${cluster.place.name} can't be read`}
      why={
        <>
          {cluster.why} {lastWords(cluster)}
          {cluster.last && (
            <>
              {' '}
              That was <Time value={cluster.last.time} isRelative />.
            </>
          )}
        </>
      }
      action={
        <div className="flex flex-wrap gap-2">
          <Button onPress={onRetry}>Retry</Button>
          {cluster.isDown && (
            <LinkButton href={failoverHref(cluster.place.id, { kind: 'unplanned', from: cluster.place.id })}>
              Plan a failover
            </LinkButton>
          )}
        </div>
      }
    />
  );
}
