import * as at from '@gatehouse/api-types/console/addresses/replication';
import { harmOfPromotion } from '@gatehouse/api-types/console/harm-of';
import { Checkbox } from '@gatehouse/ui/checkbox';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { Link } from '@gatehouse/ui/link';
import { TextField } from '@gatehouse/ui/text-field';
import { useState } from 'react';
import { failoverHref } from '#components/places/replication.ts';
import { useReplicationWrites } from '#queries/replication.ts';
import type { Cluster, SecondaryCluster } from '../-clusters/cluster.ts';
import { primaryOf } from '../-clusters/following.ts';
import { entriesWords, timeWords } from '../-clusters/link-words.ts';
import { filterOf } from '../-failover/change.ts';
import { ConfirmAct } from './ConfirmAct.tsx';

/** Asks before a secondary becomes the primary, and lists what it may lack. */
export function PromoteDialog({
  cluster,
  clusters,
  mayForce = true,
  onDone,
  onClose,
}: {
  cluster: SecondaryCluster;
  clusters: readonly Cluster[];
  /** Whether force is offered. */
  mayForce?: boolean;
  /** Called after the promotion with the server's warnings. */
  onDone?: (warnings: readonly string[]) => void;
  onClose: () => void;
}) {
  const writes = useReplicationWrites();
  const { place } = cluster;
  const [address, setAddress] = useState('');
  const [isForced, setForced] = useState(false);
  return (
    <ConfirmAct
      title={`Promote ${place.name}?`}
      confirmLabel={isForced ? 'Promote cluster with force' : 'Promote cluster'}
      // Without force, the server refuses a promotion that could lose a write.
      harm={isForced ? at.replication.promote.harm : harmOfPromotion({ force: false })}
      cluster={place}
      done={`${place.name} is the primary`}
      act={() =>
        writes.promote(place.id, {
          force: isForced,
          ...(address.trim() !== '' && { address: address.trim() }),
        })
      }
      onDone={onDone}
      onClose={onClose}
      impacts={impactsOf(cluster, clusters, isForced)}
    >
      <div className="flex flex-col gap-3">
        {mayForce && (
          <p>
            If the current primary still works, use the{' '}
            <Link href={failoverHref(place.id, { to: place.id })}>failover planner</Link> instead. The planner
            stops writes first, so none are lost.
          </p>
        )}
        <TextField
          label="Cluster address"
          description="The address that secondaries connect to. Leave empty for the server's configured address."
          isMono
          autoComplete="off"
          spellCheck="false"
          value={address}
          onChange={setAddress}
        />
        {mayForce && (
          <Checkbox
            isSelected={isForced}
            onChange={setForced}
            description="The server promotes this cluster even if it may lack writes, its copy is incomplete, or the old primary still accepts writes. Missing writes are lost on every cluster that follows the new primary."
          >
            Use force
          </Checkbox>
        )}
      </div>
    </ConfirmAct>
  );
}

function impactsOf(
  cluster: SecondaryCluster,
  clusters: readonly Cluster[],
  isForced: boolean,
): readonly Impact[] {
  const { lag, sync } = cluster;
  const { name } = cluster.place;
  const old = primaryOf(clusters, cluster);
  const filter = filterOf(clusters, cluster);
  return [
    ...(old === undefined
      ? []
      : [
          {
            kind: 'breaks' as const,
            text: `${old.place.name} is still the primary. ${isForced ? 'With two primaries, the writes of one are lost.' : `The server refuses the promotion until ${old.place.name} is demoted.`}`,
          },
        ]),
    ...(sync === 'receiving'
      ? [
          {
            kind: 'breaks' as const,
            text: `${name} is receiving a full copy, so its records are a mixture of old and new.`,
          },
        ]
      : []),
    ...(filter
      ? [{ kind: 'breaks' as const, text: `${name} has a paths filter, so some mounts are missing.` }]
      : []),
    {
      kind: 'worth-knowing',
      text:
        lag.entries === null || lag.heartbeatAgeMs === null
          ? `How many entries ${name} lacks is unknown.`
          : `${name} lacked ${entriesWords(lag.entries)} at the last heartbeat, ${timeWords(lag.heartbeatAgeMs)} ago.`,
    },
    {
      kind: 'worth-knowing',
      text: `The other secondaries and the old primary receive nothing new until you point them at ${name}. They keep their data.`,
    },
  ];
}
