import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Card } from '@gatehouse/ui/card';
import { LinkButton } from '@gatehouse/ui/link';
import { ConnectHere } from '#components/errors/ConnectHere.tsx';
import { compareHref, replicationHref } from '#components/places/replication.ts';
import { clusterAt, type Cluster } from '../-clusters/cluster.ts';
import { lagWords, stateWords } from '../-clusters/link-words.ts';
import { topologyOf } from '../-clusters/topology.ts';
import { milestonesOf } from './choices.ts';

/** The new secondary's progress until it streams. */
export function Progress({
  clusters,
  primary,
  secondary,
}: {
  clusters: readonly Cluster[];
  primary: string;
  secondary: string;
}) {
  const cluster = clusterAt(clusters, secondary);
  if (cluster === undefined) return null;
  const milestones = milestonesOf(clusters, primary, secondary);
  const next = milestones.findIndex(({ isDone }) => !isDone);
  const { name } = cluster.place;
  const { nodes, links } = topologyOf(clusters);
  const node = nodes.find(({ places }) => places.some(({ id }) => id === secondary));
  const link = links.find(({ to }) => to === node?.key);
  return (
    <div className="flex flex-col gap-5">
      <Card
        title={`Adding ${name}`}
        isFlush
        {...(link !== undefined && {
          footer: `${stateWords[link.state].word}: ${stateWords[link.state].about} ${lagWords(link.lag)}.`,
        })}
      >
        <ol aria-label="Progress" aria-live="polite">
          {milestones.map(({ label, isDone }, index) => (
            <li
              key={label}
              className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line px-4 py-1.5 last:border-b-0"
            >
              <span className="w-4 text-meta text-ink-3 tabular-nums">{index + 1}</span>
              <span className="text-body text-ink-1">{label}</span>
              <span className="ms-auto">
                <Badge tone={isDone ? 'ok' : index === next ? 'info' : 'neutral'}>
                  {isDone ? 'Done' : index === next ? 'In progress' : 'Waiting'}
                </Badge>
              </span>
            </li>
          ))}
        </ol>
      </Card>
      {next === -1 && (
        <Banner
          tone="ok"
          title={`${name} is up to date`}
          actions={
            <>
              <LinkButton size={28} href={compareHref(primary, secondary)}>
                Compare the clusters
              </LinkButton>
              <LinkButton size={28} href={replicationHref(primary)}>
                Show replication
              </LinkButton>
            </>
          }
        >
          {name} has everything that its primary sends.
        </Banner>
      )}
      {cluster.mode === 'secondary' && !cluster.isSignedIn && (
        <ConnectHere
          environment={secondary}
          service="secrets"
          title={`Connect to ${name} again`}
          detail="Your token was deleted with all other data on this cluster. Sign in with an account that is valid there now."
        />
      )}
    </div>
  );
}
