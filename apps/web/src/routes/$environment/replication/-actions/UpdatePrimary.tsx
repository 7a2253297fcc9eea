import { harmOfNewPrimary } from '@gatehouse/api-types/console/harm-of';
import { ListField } from '@gatehouse/ui/list-field';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { Select } from '@gatehouse/ui/select';
import { TextField } from '@gatehouse/ui/text-field';
import { useState } from 'react';
import { useReplicationWrites, type NextPrimary } from '#queries/replication.ts';
import type { Cluster, SecondaryCluster } from '../-clusters/cluster.ts';
import { ConfirmAct } from './ConfirmAct.tsx';
import { activationOf, connectingAsUsual, problemsOfConnecting, type Connecting } from './connection.ts';
import { ConnectionFields } from './ConnectionFields.tsx';
import { freeId } from './free-id.ts';

type Kind = NextPrimary['kind'];

/** Asks which primary a secondary should follow. Its data stays. */
export function UpdatePrimary({
  cluster: { place, standing },
  clusters,
  onClose,
}: {
  cluster: SecondaryCluster;
  clusters: readonly Cluster[];
  onClose: () => void;
}) {
  const writes = useReplicationWrites();
  const primaries = clusters.filter((other) => other.mode === 'primary');
  const [kind, setKind] = useState<Kind>(primaries.length === 0 ? 'addresses' : 'environment');
  const [primary, setPrimary] = useState(primaries[0]?.place.id ?? '');
  const [typedId, setId] = useState<string>();
  const [addresses, setAddresses] = useState<readonly string[]>([]);
  const leader = primaries.find((other) => other.place.id === primary);
  const id = typedId ?? freeId(place.id, leader);
  const [connecting, setConnecting] = useState(connectingAsUsual);
  const next: NextPrimary =
    kind === 'environment'
      ? { kind, primary, id: id.trim(), ...activationOf(connecting) }
      : kind === 'addresses'
        ? { kind, addresses: [...addresses] }
        : { kind };
  return (
    <ConfirmAct
      title={`Change the primary of ${place.name}?`}
      confirmLabel={kind === 'forget' ? 'Forget primary' : 'Change primary'}
      harm={harmOfNewPrimary(kind)}
      cluster={place}
      done={kind === 'forget' ? `${place.name} has no primary` : `${place.name} has a new primary`}
      refused={() => refusalOf(next, connecting)}
      act={() => writes.updatePrimary(place.id, next)}
      onClose={onClose}
      impacts={[
        {
          kind: 'worth-knowing',
          text:
            kind === 'forget'
              ? `Nothing is deleted. Until you point ${place.name} at a primary, it receives no new data and its writes fail.`
              : kind === 'addresses'
                ? `Nothing is deleted. The addresses are tried in order. The first at which the primary of ${place.name} responds is kept.`
                : `Nothing is wiped. Writes that the new primary never received are moved to the lost writes of ${place.name}.`,
        },
      ]}
    >
      <div className="flex flex-col gap-3">
        <RadioGroup
          label="New primary"
          value={kind}
          onChange={(value) => {
            setKind(value as Kind);
          }}
          options={[
            {
              value: 'environment',
              label: "Another environment's cluster",
              description: 'The activation token is sent from that cluster to this one and never shown.',
              ...(primaries.length === 0 && {
                disabledReason: 'No other environment is known to have a primary.',
              }),
            },
            {
              value: 'addresses',
              label: 'The same primary at another address',
              ...(standing === 'alone' && {
                disabledReason: 'This cluster has no primary.',
              }),
            },
            { value: 'forget', label: 'None: forget the primary' },
          ]}
        />
        {kind === 'environment' && (
          <>
            <Select
              label="Environment"
              value={primary}
              options={primaries.map((other) => ({ id: other.place.id, label: other.place.name }))}
              onChange={setPrimary}
            />
            <TextField
              label="Identifier"
              description="The primary's name for this cluster. Must be unique on the primary."
              isMono
              autoComplete="off"
              spellCheck="false"
              value={id}
              onChange={setId}
            />
            <ConnectionFields
              value={connecting}
              onChange={(name, text) => {
                setConnecting({ ...connecting, [name]: text });
              }}
            />
          </>
        )}
        {kind === 'addresses' && (
          <ListField
            label="Cluster addresses"
            noun="address"
            isMono
            placeholder="vault-a.example:8201"
            value={addresses}
            onChange={setAddresses}
          />
        )}
      </div>
    </ConfirmAct>
  );
}

function refusalOf(next: NextPrimary, connecting: Connecting): string | undefined {
  if (next.kind === 'environment') {
    if (next.primary === '') return 'Choose an environment.';
    if (next.id === '') return 'Enter an identifier.';
    return Object.values(problemsOfConnecting(connecting))[0];
  }
  return next.kind === 'addresses' && next.addresses.length === 0 ? 'Enter at least one address.' : undefined;
}
