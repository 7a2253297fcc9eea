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
import { notAllInWords } from '../-filters/filter-effects.ts';
import { reasonAgainstAdding } from './choices.ts';
import type { Draft } from './draft.ts';

/** What is deleted on the new secondary, confirmed by typing its name. */
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
      ? 'The list of mounts and namespaces is still loading.'
      : undefined
    : 'Connect first to see what will be deleted.';
  return (
    <div className="flex flex-col gap-5">
      <Banner tone="danger" title={`Everything on ${name} will be deleted`} announce="none">
        This includes all mounts and their data, policies, auth methods, tokens and leases, and can't be
        undone. Afterwards {name} has the data of {leader.place.name}
        {draft.filter.mode !== 'all' && ', limited by its paths filter'}, and users have to sign in again.
      </Banner>
      {!isConnected && <ConnectClusters clusters={[cluster]} />}
      {isConnected && (
        <Card
          title={
            data === undefined
              ? `On ${name} now`
              : `On ${name} now: ${counted(data.items.length, 'mount or namespace', 'mounts and namespaces')}`
          }
          isFlush
          {...(data?.complete === false && {
            footer: `${notAllInWords} More than this will be deleted.`,
          })}
        >
          {data === undefined ? (
            <Waiting query={query.isError ? query : undefined} label="Loading the mounts and namespaces" />
          ) : (
            <ul
              tabIndex={0}
              aria-label={`On ${name} now`}
              className="max-h-80 overflow-y-auto -outline-offset-2!"
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
            {
              kind: 'breaks',
              text: `All data on ${name} is deleted, and everyone who is signed in there is signed out.`,
            },
            {
              kind: 'worth-knowing',
              text:
                draft.filter.mode === 'all'
                  ? `${name} receives everything that ${leader.place.name} replicates.`
                  : `The paths filter of ${name} is saved on ${leader.place.name} first: ${draft.filter.mode === 'deny' ? 'all but' : 'only'} ${draft.filter.paths.join(', ')}.`,
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
