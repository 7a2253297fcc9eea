import { Badge } from '@gatehouse/ui/badge';
import { Card } from '@gatehouse/ui/card';
import { lazy } from '@gatehouse/ui/lazy';
import { Link } from '@gatehouse/ui/link';
import { MenuButton } from '@gatehouse/ui/menu';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeftRight, Ban, Filter, GitCompareArrows } from 'lucide-react';
import { Suspense, useState } from 'react';
import { compareHref, failoverHref, filterHref } from '#components/places/replication.ts';
import { counted } from '#lib/counted.ts';
import { lackingRight, reasonAgainstComparing } from './-actions/possible.ts';
import type { Cluster, KnownSecondary, PrimaryCluster } from './-clusters/cluster.ts';
import { clusterIdOf } from './-clusters/cluster.ts';
import { filterWords, lagWords, stateWords } from './-clusters/link-words.ts';
import { isReplaced } from './-clusters/replaced.ts';
import { stateOfLinkTo, type Topology } from './-clusters/topology.ts';

const RevokeSecondary = lazy(async () => ({
  default: (await import('./-actions/RevokeSecondary.tsx')).RevokeSecondary,
}));

/** A primary's secondaries, connected or not. */
export function SecondariesCard({
  cluster,
  topology,
  clusters,
}: {
  cluster: PrimaryCluster;
  topology: Topology;
  clusters: readonly Cluster[];
}) {
  const navigate = useNavigate();
  const [revoked, setRevoked] = useState<KnownSecondary>();
  const { secondaries, place, may } = cluster;
  const count = secondaries.filter((known) => !isReplaced(secondaries, known)).length;
  const go = (href: string) => (): void => void navigate({ href });
  return (
    <>
      <Card title={count === 0 ? 'Secondaries' : counted(count, 'secondary', 'secondaries')} isFlush>
        {secondaries.length === 0 && <p className="p-4 text-body text-ink-2">No secondaries</p>}
        <ul aria-label="Secondaries">
          {secondaries.map((known) => {
            const environment = environmentOf(clusters, known);
            return (
              <li
                key={known.id}
                className="flex items-start gap-2 border-b border-line px-4 py-2 last:border-b-0"
              >
                <SecondaryLine
                  known={known}
                  state={stateOfLinkTo(topology, known)}
                  href={filterHref(place.id, known.id)}
                  isReplaced={isReplaced(secondaries, known)}
                />
                <MenuButton
                  label={`Actions for ${known.id}`}
                  isOverflow
                  size={28}
                  placement="bottom end"
                  items={[
                    {
                      id: 'filter',
                      label: 'Edit paths filter',
                      icon: Filter,
                      disabledReason: lackingRight(may, 'read_filter', 'read paths filters'),
                      onAction: go(filterHref(place.id, known.id)),
                    },
                    {
                      id: 'compare',
                      label: 'Compare with this cluster',
                      icon: GitCompareArrows,
                      disabledReason:
                        environment === undefined
                          ? notHere
                          : reasonAgainstComparing(clusters, [place.id, environment]),
                      onAction: go(compareHref(place.id, environment)),
                    },
                    {
                      id: 'failover',
                      label: 'Plan to promote this secondary',
                      icon: ArrowLeftRight,
                      disabledReason: environment === undefined ? notHere : undefined,
                      onAction: go(
                        failoverHref(place.id, {
                          kind: 'planned',
                          from: place.id,
                          ...(environment !== undefined && { to: environment }),
                        }),
                      ),
                    },
                    'separator',
                    {
                      id: 'revoke',
                      label: 'Revoke',
                      icon: Ban,
                      isDanger: true,
                      disabledReason: lackingRight(may, 'revoke', 'revoke secondaries'),
                      onAction: () => {
                        setRevoked(known);
                      },
                    },
                  ]}
                />
              </li>
            );
          })}
        </ul>
      </Card>
      {revoked !== undefined && (
        <Suspense fallback={null}>
          <RevokeSecondary
            primary={place}
            secondary={revoked}
            onClose={() => {
              setRevoked(undefined);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

const notHere = "This secondary isn't an environment of this console.";

/** The environment of a secondary's cluster. */
function environmentOf(clusters: readonly Cluster[], { clusterId }: KnownSecondary): string | undefined {
  if (clusterId === null) return undefined;
  return clusters.find((other) => clusterIdOf(other) === clusterId)?.place.id;
}

/** The state, then the lag. The rest is on its own environment's page. */
function SecondaryLine({
  known: { id, lag, filter },
  state,
  href,
  isReplaced: isOld,
}: {
  known: KnownSecondary;
  state: keyof typeof stateWords | undefined;
  href: string;
  isReplaced: boolean;
}) {
  const { word, tone } = isOld
    ? { word: 'Replaced', tone: 'neutral' as const }
    : state === undefined
      ? { word: 'No longer follows', tone: 'neutral' as const }
      : stateWords[state];
  const about = isOld
    ? 'The same cluster follows under a newer identifier. Revoke this identifier.'
    : [
        ...(state === undefined || state === 'unused' ? [] : [lagWords(lag)]),
        ...(filter ? [`paths filter: ${filterWords(filter).toLowerCase()}`] : []),
      ].join(' · ');
  return (
    <div className="min-w-0 flex-1">
      <p className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
        <Link href={href}>{id}</Link>
        <Badge tone={tone}>{word}</Badge>
      </p>
      {about !== '' && <p className="text-meta text-ink-2 wrap-anywhere">{about}</p>}
    </div>
  );
}
