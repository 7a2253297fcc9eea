import * as at from '@gatehouse/api-types/console/addresses/replication';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Waiting } from '#components/record/Waiting.tsx';
import { counted } from '#lib/counted.ts';
import { mountsAndNamespacesQuery, useReplicationWrites } from '#queries/replication.ts';
import { ConfirmAct } from '../-actions/ConfirmAct.tsx';
import { activationOf } from '../-actions/connection.ts';
import { clusterAt, type Cluster } from '../-clusters/cluster.ts';
import { ConnectClusters } from '../-clusters/ConnectClusters.tsx';
import { reasonAgainstAdding } from './choices.ts';
import type { Draft } from './draft.ts';

/** What is deleted on the cluster that becomes a secondary; then its name is typed. */
export function WipeStep({
  clusters,
  primary,
  secondary,
  draft,
  onBack,
  onAdded,
}: {
  clusters: readonly Cluster[];
  primary: string;
  secondary: string;
  draft: Draft;
  onBack: () => void;
  onAdded: () => void;
}) {
  const writes = useReplicationWrites();
  const [isAsked, setAsked] = useState(false);
  const [leader, cluster] = [clusterAt(clusters, primary), clusterAt(clusters, secondary)];
  const isConnected = cluster !== undefined && cluster.mode !== 'unread' && cluster.isSignedIn;
  const query = useQuery({
    ...mountsAndNamespacesQuery(secondary),
    enabled: isConnected,
  });
  if (leader === undefined || cluster === undefined) return null;
  const { name } = cluster.place;
  const { data } = query;
  const unseenReason = isConnected
    ? query.isPending
      ? 'Its data is still loading.'
      : undefined
    : 'Connect first to see what will be deleted.';
  return (
    <div className="flex flex-col gap-5">
      <Banner tone="danger" title={`Everything on ${name} is deleted immediately`} announce="none">
        Its mounts and their data, policies, auth methods, tokens and leases. This can&rsquo;t be undone.
        Afterwards it has what {leader.place.name} has{draft.filter.mode !== 'all' && ', through its filter'},
        and users sign in with accounts replicated from there.
      </Banner>
      {!isConnected && <ConnectClusters clusters={[cluster]} />}
      {isConnected && (
        <Card
          title={
            data === undefined
              ? `On ${name} now`
              : `On ${name} now: ${counted(data.items.length, 'mount and namespace', 'mounts and namespaces')}`
          }
          isFlush
          {...(data?.complete === false && {
            footer: "Your policies don't let you list everything there. More than this will be deleted.",
          })}
        >
          {data === undefined ? (
            <Waiting query={query.isError ? query : undefined} label="Loading its data" />
          ) : (
            <ul
              tabIndex={0}
              aria-label={`On ${name} now`}
              className="max-h-96 overflow-y-auto -outline-offset-2!"
            >
              {data.items.map(({ path, kind, plugin, description }) => (
                <li
                  key={`${kind} ${path}`}
                  className="flex flex-wrap items-center gap-x-3 border-b border-line px-4 py-1.5 last:border-b-0"
                >
                  <span className="font-mono text-meta text-ink-1 wrap-anywhere">{path}</span>
                  <span className="text-meta text-ink-2">{description}</span>
                  <span className="ms-auto text-meta text-ink-2">
                    {kind === 'namespace' ? 'namespace' : [kind, plugin].filter(Boolean).join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Card>
      )}
      <div className="flex items-center gap-2">
        <Button
          variant="danger"
          disabledReason={reasonAgainstAdding(cluster) ?? unseenReason}
          onPress={() => {
            setAsked(true);
          }}
        >
          {`Delete everything on ${name} and add it`}
        </Button>
        <Button onPress={onBack}>Back</Button>
      </div>
      {isAsked && (
        <ConfirmAct
          title={`Delete everything on ${name} and add it to ${leader.place.name}?`}
          confirmLabel="Delete everything and add it"
          harm={at.replication.addSecondary.harm}
          cluster={cluster.place}
          done={`${name} is a secondary of ${leader.place.name}`}
          impacts={[
            { kind: 'breaks', text: `All data of ${name} is deleted, and everyone is signed out there.` },
            {
              kind: 'worth-knowing',
              text:
                draft.filter.mode === 'all'
                  ? 'It receives everything.'
                  : `Its filter is saved first: ${draft.filter.mode === 'deny' ? 'all but' : 'only'} ${draft.filter.paths.join(', ')}.`,
            },
          ]}
          act={async () => {
            const answer = await writes.addSecondary(secondary, bodyOf(primary, draft));
            onAdded();
            return answer;
          }}
          onClose={() => {
            setAsked(false);
          }}
        />
      )}
    </div>
  );
}

function bodyOf(primary: string, { id, filter, connecting }: Draft) {
  return { primary, id: id.trim(), filter, ...activationOf(connecting) };
}
