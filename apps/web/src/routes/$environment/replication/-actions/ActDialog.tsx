import * as at from '@gatehouse/api-types/console/addresses/replication';
import { Link } from '@gatehouse/ui/link';
import { TextField } from '@gatehouse/ui/text-field';
import { useState } from 'react';
import { failoverHref } from '#components/places/replication.ts';
import { counted } from '#lib/counted.ts';
import { useReplicationWrites } from '#queries/replication.ts';
import type { Cluster, PrimaryCluster, SecondaryCluster } from '../-clusters/cluster.ts';
import { ActivationToken } from './ActivationToken.tsx';
import { ConfirmAct } from './ConfirmAct.tsx';
import type { ActName } from './possible.ts';
import { PromoteDialog } from './PromoteDialog.tsx';
import { UpdatePrimary } from './UpdatePrimary.tsx';

/** Asks before an action on the cluster of this environment, whatever the action is. */
export function ActDialog({
  act,
  cluster,
  clusters,
  onClose,
}: {
  act: ActName;
  cluster: Cluster;
  clusters: readonly Cluster[];
  onClose: () => void;
}) {
  switch (act) {
    case 'enable-primary':
      return <EnablePrimary cluster={cluster} onClose={onClose} />;
    case 'create-token':
      return <ActivationToken place={cluster.place} onClose={onClose} />;
    default:
  }
  if (cluster.mode === 'primary') {
    if (act === 'demote') return <Demote cluster={cluster} onClose={onClose} />;
    if (act === 'disable') return <DisablePrimary cluster={cluster} onClose={onClose} />;
  }
  if (cluster.mode === 'secondary') {
    if (act === 'promote') return <PromoteDialog cluster={cluster} clusters={clusters} onClose={onClose} />;
    if (act === 'update-primary')
      return <UpdatePrimary cluster={cluster} clusters={clusters} onClose={onClose} />;
    if (act === 'disable') return <DisableSecondary cluster={cluster} onClose={onClose} />;
  }
  return null;
}

function EnablePrimary({ cluster: { place }, onClose }: { cluster: Cluster; onClose: () => void }) {
  const writes = useReplicationWrites();
  const [address, setAddress] = useState('');
  return (
    <ConfirmAct
      title={`Make ${place.name} a primary?`}
      confirmLabel="Make it a primary"
      harm={at.replication.enablePrimary.harm}
      clusterName={place.name}
      done={`${place.name} is a primary`}
      act={() => writes.enablePrimary(place.id, address.trim() === '' ? undefined : address.trim())}
      onClose={onClose}
      impacts={[
        { kind: 'updates-itself', text: 'Nothing is deleted, and clients notice nothing.' },
        {
          kind: 'worth-knowing',
          text: 'Have only one primary of the same records: two of them lose data.',
        },
      ]}
    >
      <TextField
        label="Cluster address"
        description="What secondaries connect to, such as vault-a.example:8201. Empty for what the server is configured with."
        isMono
        autoComplete="off"
        spellCheck="false"
        value={address}
        onChange={setAddress}
      />
    </ConfirmAct>
  );
}

function Demote({ cluster, onClose }: { cluster: PrimaryCluster; onClose: () => void }) {
  const writes = useReplicationWrites();
  const { place, secondaries } = cluster;
  return (
    <ConfirmAct
      title={`Demote ${place.name}?`}
      confirmLabel="Demote cluster"
      harm={at.replication.demote.harm}
      clusterName={place.name}
      done={`${place.name} demoted`}
      act={() => writes.demote(place.id)}
      onClose={onClose}
      impacts={[
        { kind: 'breaks', text: 'Writes fail everywhere until another cluster is promoted.' },
        {
          kind: 'worth-knowing',
          text: 'Nothing is deleted. It keeps its cluster ID, and can rejoin without a wipe.',
        },
        ...(secondaries.length === 0
          ? []
          : [
              {
                kind: 'updates-itself' as const,
                text: `${counted(secondaries.length, 'secondary', 'secondaries')} still get the entries that they lack.`,
              },
            ]),
      ]}
    >
      <p>
        To hand over to another cluster, follow the{' '}
        <Link href={failoverHref(place.id, { kind: 'planned', from: place.id })}>failover planner</Link>: it
        checks first that nothing is lost.
      </p>
    </ConfirmAct>
  );
}

function DisablePrimary({ cluster, onClose }: { cluster: PrimaryCluster; onClose: () => void }) {
  const writes = useReplicationWrites();
  const { place, secondaries } = cluster;
  return (
    <ConfirmAct
      title={`Disable replication on ${place.name}?`}
      confirmLabel="Disable replication"
      harm={at.replication.disablePrimary.harm}
      clusterName={place.name}
      done={`Replication disabled on ${place.name}`}
      act={() => writes.disable(place.id, 'primary')}
      onClose={onClose}
      impacts={[
        {
          kind: 'breaks',
          text:
            secondaries.length === 0
              ? 'Its cluster ID is gone for good: enabled again, it has another one.'
              : `Its cluster ID is gone for good. ${counted(secondaries.length, 'secondary', 'secondaries')} can no longer connect, and come back only by being wiped.`,
        },
        { kind: 'worth-knowing', text: 'Nothing that is stored here is deleted.' },
      ]}
    >
      <NotForRoles place={place} />
    </ConfirmAct>
  );
}

function DisableSecondary({ cluster, onClose }: { cluster: SecondaryCluster; onClose: () => void }) {
  const writes = useReplicationWrites();
  const { place } = cluster;
  return (
    <ConfirmAct
      title={`Disable replication on ${place.name}?`}
      confirmLabel="Disable replication"
      harm={at.replication.disableSecondary.harm}
      clusterName={place.name}
      done={`Replication disabled on ${place.name}`}
      act={() => writes.disable(place.id, 'secondary')}
      onClose={onClose}
      impacts={[
        {
          kind: 'breaks',
          text: 'It keeps the data that it has, and takes writes that no other cluster receives. To follow its primary again, everything on it is deleted first.',
        },
        { kind: 'worth-knowing', text: 'Its primary still lists it: revoke it there.' },
      ]}
    >
      <NotForRoles place={place} />
    </ConfirmAct>
  );
}

function NotForRoles({ place }: { place: Cluster['place'] }) {
  return (
    <p>
      Changing roles never needs this: <Link href={failoverHref(place.id)}>demote and promote</Link> keep the
      cluster ID and every record.
    </p>
  );
}
