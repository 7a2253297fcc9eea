import { harmOfNewPrimary } from '@gatehouse/api-types/console/harm-of';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { useState } from 'react';
import { useReplicationWrites } from '#queries/replication.ts';
import { ConfirmAct, type ConfirmActProps } from '../-actions/ConfirmAct.tsx';
import { activationOf, connectingAsUsual, problemsOfConnecting } from '../-actions/connection.ts';
import { ConnectionFields } from '../-actions/ConnectionFields.tsx';
import type { Act } from './step.ts';

/** Asks before a cluster is pointed at the new primary, and how it should connect. */
export function FollowAct({
  act: { at: place, primary, secondaryId },
  impacts,
  ...asks
}: Pick<ConfirmActProps, 'title' | 'confirmLabel' | 'cluster' | 'onDone' | 'onClose'> & {
  act: Extract<Act, { kind: 'update-primary' }>;
  impacts: readonly Impact[];
}) {
  const writes = useReplicationWrites();
  const [connecting, setConnecting] = useState(connectingAsUsual);
  return (
    <ConfirmAct
      {...asks}
      harm={harmOfNewPrimary('environment')}
      impacts={impacts}
      done={`${asks.cluster.name} follows its new primary`}
      refused={() => Object.values(problemsOfConnecting(connecting))[0]}
      act={() =>
        writes.updatePrimary(place, {
          kind: 'environment',
          primary,
          id: secondaryId,
          ...activationOf(connecting),
        })
      }
    >
      <ConnectionFields
        value={connecting}
        onChange={(name, text) => {
          setConnecting({ ...connecting, [name]: text });
        }}
      />
    </ConfirmAct>
  );
}
