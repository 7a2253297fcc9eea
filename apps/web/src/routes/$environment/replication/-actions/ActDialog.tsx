import * as at from '@gatehouse/api-types/console/addresses/replication';
import { Link } from '@gatehouse/ui/link';
import { TextField } from '@gatehouse/ui/text-field';
import { useState, type ComponentType } from 'react';
import { failoverHref } from '#components/places/replication.ts';
import { counted } from '#lib/counted.ts';
import { useReplicationWrites } from '#queries/replication.ts';
import type { Cluster, PrimaryCluster, SecondaryCluster } from '../-clusters/cluster.ts';
import { ActivationToken } from './ActivationToken.tsx';
import { ConfirmAct } from './ConfirmAct.tsx';
import type { ActName } from './possible.ts';
import { PromoteDialog } from './PromoteDialog.tsx';
import { UpdatePrimary } from './UpdatePrimary.tsx';

interface ActProps<Kind extends Cluster = Cluster> {
  cluster: Kind;
  clusters: readonly Cluster[];
  onClose: () => void;
}

/** The confirmation of each action, by mode. Actions that are not listed need none. */
const questions = {
  disabled: { 'enable-primary': EnablePrimary },
  primary: { 'create-token': CreateToken, demote: Demote, disable: DisablePrimary },
  secondary: { promote: PromoteDialog, 'update-primary': UpdatePrimary, disable: DisableSecondary },
} satisfies {
  readonly [Mode in Cluster['mode']]?: Partial<
    Record<ActName, ComponentType<ActProps<Extract<Cluster, { mode: Mode }>>>>
  >;
};

/** Asks before any action on this environment's cluster. */
export function ActDialog({ act, ...props }: ActProps & { act: ActName }) {
  const { mode } = props.cluster;
  const ofMode: Partial<Record<ActName, unknown>> =
    mode in questions ? questions[mode as keyof typeof questions] : {};
  const Question = ofMode[act] as ComponentType<ActProps> | undefined;
  return Question === undefined ? null : <Question {...props} />;
}

function CreateToken({ cluster: { place }, onClose }: ActProps<PrimaryCluster>) {
  return <ActivationToken place={place} onClose={onClose} />;
}

function EnablePrimary({ cluster: { place }, onClose }: { cluster: Cluster; onClose: () => void }) {
  const writes = useReplicationWrites();
  const [address, setAddress] = useState('');
  return (
    <ConfirmAct
      title={`Enable ${place.name} as a primary?`}
      confirmLabel="Enable as primary"
      harm={at.replication.enablePrimary.harm}
      cluster={place}
      done={`${place.name} is a primary`}
      act={() => writes.enablePrimary(place.id, address.trim() === '' ? undefined : address.trim())}
      onClose={onClose}
      impacts={[
        { kind: 'updates-itself', text: "Nothing is deleted, and clients aren't affected." },
        {
          kind: 'worth-knowing',
          text: 'Enable only one cluster as the primary of the same records. If two are primaries, the writes of one are lost.',
        },
      ]}
    >
      <TextField
        label="Cluster address"
        description="The address that secondaries connect to, such as vault-a.example:8201. Leave empty for the server's configured address."
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
      cluster={place}
      done={`${place.name} demoted`}
      act={() => writes.demote(place.id)}
      onClose={onClose}
      impacts={[
        { kind: 'breaks', text: 'Writes fail everywhere until another cluster is promoted.' },
        {
          kind: 'worth-knowing',
          text: `Nothing is deleted. ${place.name} keeps its cluster ID, and can rejoin without a wipe.`,
        },
        ...(secondaries.length === 0
          ? []
          : [
              {
                kind: 'updates-itself' as const,
                text:
                  secondaries.length === 1
                    ? 'Its secondary still receives the entries it is missing.'
                    : `Its ${secondaries.length.toLocaleString('en')} secondaries still receive the entries they are missing.`,
              },
            ]),
      ]}
    >
      <p>
        To hand over to another cluster, use the{' '}
        <Link href={failoverHref(place.id, { kind: 'planned', from: place.id })}>failover planner</Link>,
        which first checks that nothing is lost.
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
      cluster={place}
      done={`Replication disabled on ${place.name}`}
      act={() => writes.disable(place.id, 'primary')}
      onClose={onClose}
      impacts={[
        {
          kind: 'breaks',
          text:
            secondaries.length === 0
              ? `The cluster ID is lost permanently. If you enable replication again, ${place.name} gets a new one.`
              : `The cluster ID is lost permanently. ${counted(secondaries.length, 'secondary', 'secondaries')} can no longer connect, and must be wiped to rejoin.`,
        },
        { kind: 'worth-knowing', text: 'No stored data is deleted.' },
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
      cluster={place}
      done={`Replication disabled on ${place.name}`}
      act={() => writes.disable(place.id, 'secondary')}
      onClose={onClose}
      impacts={[
        {
          kind: 'breaks',
          text: `${place.name} keeps its data, and accepts writes that no other cluster receives. To follow its primary again, it must be added as a new secondary, which deletes all its data.`,
        },
        { kind: 'worth-knowing', text: 'The primary still lists this cluster. Revoke it there.' },
      ]}
    >
      <NotForRoles place={place} />
    </ConfirmAct>
  );
}

function NotForRoles({ place }: { place: Cluster['place'] }) {
  return (
    <p>
      To change roles, <Link href={failoverHref(place.id)}>demote and promote</Link> instead, which keeps the
      cluster ID and all records.
    </p>
  );
}
