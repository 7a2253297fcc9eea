import * as at from '@gatehouse/api-types/console/addresses/replication';
import { useState } from 'react';
import { counted } from '#lib/counted.ts';
import { useReplicationWrites } from '#queries/replication.ts';
import { ConfirmAct } from '../-actions/ConfirmAct.tsx';
import type { Place } from '../-clusters/cluster.ts';

/** Asks before lost writes are deleted. Newer ones stay. */
export function DeleteLost({
  place,
  onClose,
  ...given
}: {
  place: Place;
  /** The ID of the newest one that was shown. */
  upTo: number;
  total: number;
  onClose: () => void;
}) {
  const writes = useReplicationWrites();
  // As they were when the dialog opened.
  const [{ upTo, total }] = useState(given);
  const those = counted(total, 'lost write');
  return (
    <ConfirmAct
      title={`Delete ${those} of ${place.name}?`}
      confirmLabel={`Delete ${those}`}
      harm={at.replication.deleteLostWrites.harm}
      cluster={place}
      done={`Lost writes of ${place.name} deleted`}
      act={async () => {
        await writes.deleteLostWrites(place.id, upTo);
        return undefined;
      }}
      onClose={onClose}
      impacts={[
        {
          kind: 'breaks',
          text: "These lost writes and their encrypted values are deleted. This can't be undone.",
        },
        { kind: 'worth-knowing', text: 'The records themselves are unchanged.' },
      ]}
    >
      <p>Delete lost writes when each of them is written again, or no longer needed.</p>
    </ConfirmAct>
  );
}
