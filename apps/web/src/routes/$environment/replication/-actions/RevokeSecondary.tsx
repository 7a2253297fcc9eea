import * as at from '@gatehouse/api-types/console/addresses/replication';
import { useReplicationWrites } from '#queries/replication.ts';
import type { KnownSecondary, Place } from '../-clusters/cluster.ts';
import { ConfirmAct } from './ConfirmAct.tsx';

/** Asks before a primary revokes a secondary. */
export function RevokeSecondary({
  primary,
  secondary: { id },
  onClose,
}: {
  primary: Place;
  secondary: KnownSecondary;
  onClose: () => void;
}) {
  const writes = useReplicationWrites();
  return (
    <ConfirmAct
      title={`Revoke ${id}?`}
      confirmLabel="Revoke secondary"
      harm={at.replicationSecondaries.revoke.harm}
      cluster={primary}
      typedName={id}
      done={`${id} revoked`}
      act={() => writes.revoke(primary.id, id)}
      onClose={onClose}
      impacts={[
        {
          kind: 'breaks',
          text: `${primary.name} disconnects ${id} immediately. The secondary still serves reads, but its data becomes stale and its writes fail.`,
        },
        {
          kind: 'worth-knowing',
          text: `${id} keeps its data. With a new activation it continues where it stopped, without being wiped.`,
        },
      ]}
    />
  );
}
