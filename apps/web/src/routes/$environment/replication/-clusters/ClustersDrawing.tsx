import { Badge } from '@gatehouse/ui/badge';
import { EnvironmentBadge } from '@gatehouse/ui/environment';
import { Link } from '@gatehouse/ui/link';
import { replicationHref } from '#components/places/replication.ts';
import { modeWords } from './link-words.ts';
import { LinkDrawing } from './LinkDrawing.tsx';
import { clusterIdOfNode, type Topology, type TopologyLink, type TopologyNode } from './topology.ts';

/** A primary with more secondaries than this is aligned to the top, where it is seen first. */
const fewSecondaries = 3;

/** Every primary with its secondaries, each link with its state and lag; then the clusters without links. */
export function ClustersDrawing({ topology, here }: { topology: Topology; here: string }) {
  const { nodes, links } = topology;
  const nodeOf = (key: string): TopologyNode | undefined => nodes.find((node) => node.key === key);
  const leaders = nodes.filter(({ key }) => links.some(({ from }) => from === key));
  const alone = nodes.filter(({ key }) => !links.some(({ from, to }) => from === key || to === key));
  return (
    <figure aria-label="Clusters" className="flex flex-col gap-6">
      {leaders.map((leader) => (
        <div
          key={leader.key}
          className="grid grid-cols-1 gap-y-1 narrow:grid-cols-[minmax(0,calc(17rem+24px))_minmax(0,1fr)]"
        >
          <div
            className={`narrow:grid narrow:grid-cols-[minmax(0,1fr)_24px] narrow:items-center ${
              links.filter(({ from }) => from === leader.key).length > fewSecondaries
                ? 'narrow:self-start narrow:pt-8'
                : 'self-center'
            }`}
          >
            <ClusterBox node={leader} here={here} />
            <span aria-hidden className="h-0.5 bg-control-line max-narrow:hidden" />
          </div>
          <ul
            aria-label={`Secondaries of ${nameOfNode(leader)}`}
            className="flex min-w-0 flex-col justify-center gap-3"
          >
            {links
              .filter(({ from }) => from === leader.key)
              .map((link, index, all) => (
                <LinkRow
                  key={link.key}
                  link={link}
                  node={nodeOf(link.to)}
                  here={here}
                  isFirst={index === 0}
                  isLast={index === all.length - 1}
                />
              ))}
          </ul>
        </div>
      ))}
      {alone.length > 0 && (
        <ul
          aria-label={leaders.length === 0 ? 'Clusters' : "Clusters that don't replicate with these"}
          className="grid grid-cols-1 gap-3 narrow:grid-cols-[repeat(auto-fill,minmax(17rem,1fr))]"
        >
          {alone.map((node) => (
            <li key={node.key}>
              <ClusterBox node={node} here={here} />
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

function LinkRow({
  link,
  node,
  here,
  isFirst,
  isLast,
}: {
  link: TopologyLink;
  node: TopologyNode | undefined;
  here: string;
  isFirst: boolean;
  isLast: boolean;
}) {
  return (
    <li className="relative grid grid-cols-1 items-center gap-y-1 max-narrow:ps-7 narrow:grid-cols-[minmax(11rem,1fr)_minmax(0,17rem)]">
      <span
        aria-hidden
        className={`absolute start-0 w-0.5 bg-control-line max-narrow:hidden ${isFirst ? 'top-1/2' : '-top-1.5'} ${isLast ? 'bottom-1/2' : '-bottom-1.5'}`}
      />
      <span
        aria-hidden
        className={`absolute start-3 w-0.5 bg-control-line narrow:hidden ${isFirst ? '-top-1' : '-top-3'} ${isLast ? (isFirst ? 'h-1.5' : 'h-3.5') : 'bottom-0'}`}
      />
      <span aria-hidden className="absolute start-3 top-0 h-0.5 w-5.5 bg-control-line narrow:hidden" />
      <LinkDrawing link={link} />
      {node !== undefined && <ClusterBox node={node} here={here} />}
    </li>
  );
}

/** A cluster: its environments, its mode and its last entry. */
function ClusterBox({ node, here }: { node: TopologyNode; here: string }) {
  const { cluster, places } = node;
  const { word, tone, about } = modeWords(cluster);
  const id = clusterIdOfNode(node);
  const seq = cluster.mode === 'primary' || cluster.mode === 'secondary' ? cluster.seq : undefined;
  const isHere = places.some((place) => place.id === here);
  return (
    <div
      className={`flex min-w-0 flex-col gap-1 rounded-control border bg-raised px-3 py-2 ${
        cluster.mode === 'outside' || cluster.mode === 'unread' ? 'border-dashed' : ''
      } ${isHere ? 'border-accent' : 'border-control-line'}`}
    >
      <p className={`flex min-w-0 items-center gap-1.5 ${cluster.mode === 'outside' ? '' : 'flex-wrap'}`}>
        {places.map((place) => (
          <EnvironmentBadge key={place.id} kind={place.kind} name={place.name} />
        ))}
        {cluster.mode === 'outside' && (
          <span title={cluster.name} className="min-w-0 truncate text-body font-medium text-ink-1">
            {cluster.name === '' ? 'Outside this console' : cluster.name}
          </span>
        )}
        <span className="ms-auto shrink-0">
          <Badge tone={tone}>{word}</Badge>
        </span>
      </p>
      <p className="text-meta text-ink-2 wrap-anywhere">{about}</p>
      {seq !== undefined && (
        <p className="text-meta text-ink-2">
          Last entry {seq === null ? 'unknown' : seq.toLocaleString('en')}
        </p>
      )}
      {id !== null && (
        <p className="truncate font-mono text-meta text-ink-3" title={id}>
          {id}
        </p>
      )}
      {!isHere && places[0] !== undefined && (
        <p className="text-meta">
          <Link href={replicationHref(places[0].id)}>Go to {places[0].name}</Link>
        </p>
      )}
    </div>
  );
}

export function nameOfNode({ cluster, places }: TopologyNode): string {
  const names = places.map(({ name }) => name).join(', ');
  return names !== ''
    ? names
    : cluster.mode === 'outside' && cluster.name !== ''
      ? cluster.name
      : 'a cluster outside this console';
}
