import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQueries } from '@tanstack/react-query';
import { createFileRoute, useRouterState } from '@tanstack/react-router';
import { LifeBuoy, Printer } from 'lucide-react';
import { useEffect } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { compareHref, failoverHref, replicationHref } from '#components/places/replication.ts';
import { Waiting } from '#components/record/Waiting.tsx';
import { useShortcut } from '#lib/shortcuts.ts';
import { anyLostQuery, receivedFilterQuery } from '#queries/replication.ts';
import { type Cluster, lostDependOn } from '../-clusters/cluster.ts';
import { ClusterPolls } from '../-clusters/ClusterPolls.tsx';
import { useClusters } from '../-clusters/use-clusters.ts';
import { Commands } from '../-failover/Commands.tsx';
import { type Found, type Guide, guidesFor, isCutOff, isSecondary } from '../-failover/guides.ts';
import '../-failover/runbook.css';

export const Route = createFileRoute('/$environment/replication/guides/')({ component: GuidesPage });

const print = (): void => {
  window.print();
};

/** Recovery guides, those needed now first. */
function GuidesPage() {
  usePageTitle('Recovery guides');
  const environment = useEnvironment();
  const { clusters } = useClusters();
  useShortcut({ keys: 'p', label: 'Print the guides', group: 'Recovery guides', run: print });
  return (
    <>
      <ClusterPolls />
      <PageHeader
        icon={LifeBuoy}
        title="Recovery guides"
        ancestors={[{ id: 'replication', label: 'Replication', href: replicationHref(environment.id) }]}
        actions={
          <>
            <Button size={28} icon={Printer} shortcut="p" onPress={print}>
              Print
            </Button>
            <LinkButton size={28} href={failoverHref(environment.id)}>
              Failover planner
            </LinkButton>
          </>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {clusters === undefined ? (
          <Waiting query={undefined} label="Loading the clusters" />
        ) : (
          <Guides clusters={clusters} />
        )}
      </div>
    </>
  );
}

function Guides({ clusters }: { clusters: readonly Cluster[] }) {
  const guides = guidesFor(clusters, useFound(clusters)).toSorted(
    (a, b) => Number(a.now === undefined) - Number(b.now === undefined),
  );
  const hash = useRouterState({ select: (state) => state.location.hash });
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView({ block: 'start' });
  }, [hash]);
  return (
    <div data-runbook className="mx-auto flex w-full max-w-220 flex-col gap-5 p-4 wide:p-6">
      {guides.map((guide) => (
        <GuideCard key={guide.kind} guide={guide} />
      ))}
    </div>
  );
}

/** Asks each secondary for lost writes and filters. */
function useFound(clusters: readonly Cluster[]): Found {
  const read = clusters.filter(isSecondary).filter(({ isSignedIn }) => isSignedIn);
  const cutOff = read.filter((cluster) => isCutOff(clusters, cluster));
  const lost = useQueries({
    queries: read.map((cluster) => ({
      ...anyLostQuery(cluster.place.id, lostDependOn(cluster)),
      enabled: cluster.may?.read_lost_writes !== false,
    })),
  });
  const received = useQueries({ queries: cutOff.map(({ place }) => receivedFilterQuery(place.id)) });
  return {
    lostAt: read.filter((_, index) => lost[index]?.data === true).map(({ place }) => place),
    filteredAt: cutOff
      .filter((_, index) => {
        const { mounts, namespaces } = received[index]?.data ?? {};
        return [...(mounts ?? []), ...(namespaces ?? [])].length > 0;
      })
      .map(({ place }) => place.name),
  };
}

function GuideCard({ guide: { kind, title, about, now, way, compare, steps } }: { guide: Guide }) {
  return (
    <section id={kind} aria-label={title} className="scroll-mt-4">
      <Card
        title={title}
        isFlush
        actions={
          now !== undefined && (
            <span className="pe-2">
              <Badge tone="warn">Needed now</Badge>
            </span>
          )
        }
      >
        <div className="flex flex-col gap-3 border-b border-line p-4">
          {now !== undefined && (
            <Banner
              tone="warn"
              title={now}
              announce="none"
              actions={
                way !== undefined && (
                  <LinkButton size={28} href={way.href}>
                    {way.label}
                  </LinkButton>
                )
              }
            />
          )}
          <p className="text-body text-ink-1">{about}</p>
          {compare !== undefined && (
            <div data-screen-only className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <LinkButton size={28} href={compareHref(...compare)}>
                Compare the clusters
              </LinkButton>
              <span className="text-meta text-ink-2">
                Compare before you rebuild anything. If the digests are equal, nothing has to be rebuilt.
              </span>
            </div>
          )}
        </div>
        <ol aria-label={`Steps: ${title}`}>
          {steps.map((step, index) => (
            <li
              key={step.title}
              className="flex flex-col gap-2 border-b border-line px-4 py-3 last:border-b-0"
            >
              <div className="flex gap-3">
                <span className="w-4 text-meta text-ink-3 tabular-nums">{index + 1}</span>
                <div className="min-w-0">
                  <h3 className="text-body font-medium text-ink-1">{step.title}</h3>
                  <p className="text-meta text-ink-2">{step.data}</p>
                </div>
              </div>
              {step.commands.length > 0 && (
                <div className="flex flex-col gap-2 ps-7">
                  <Commands commands={step.commands} />
                </div>
              )}
            </li>
          ))}
        </ol>
      </Card>
    </section>
  );
}
