import type { CloudLease } from '@gatehouse/api-types/console/cloud-credentials';
import type { CloudEngine } from '@gatehouse/api-types/console/cloud-engines';
import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import { Button } from '@gatehouse/ui/button';
import { emptyGridSelection, type GridColumn, type GridSelection } from '@gatehouse/ui/data-grid';
import { EmptyState } from '@gatehouse/ui/empty-state';
import { IconButton } from '@gatehouse/ui/icon-button';
import { lazy } from '@gatehouse/ui/lazy';
import { useQuery } from '@tanstack/react-query';
import { Clock, Lock, RotateCw } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { argument, shellWord } from '#components/form/as-code.ts';
import { commandFor, useSecretsClient } from '#components/form/secrets-client.ts';
import { ListGrid } from '#components/list/ListGrid.tsx';
import { idOf } from '#components/list/row-id.ts';
import { tell } from '#components/record/tell.ts';
import { copyText } from '#lib/copy-text.ts';
import { wordsOf } from '#lib/error-words.ts';
import { cloudLeasesQuery, useRenewLease } from '#queries/cloud-leases.ts';

const RevokeLeases = lazy(async () => ({ default: (await import('./RevokeLeases.tsx')).RevokeLeases }));
const RevokeAllLeases = lazy(async () => ({ default: (await import('./RevokeLeases.tsx')).RevokeAllLeases }));

export interface RoleLeasesProps {
  environment: string;
  role: CloudRole;
  engine: CloudEngine;
}

const none: readonly CloudLease[] = [];

const columns: readonly GridColumn<CloudLease>[] = [
  {
    id: 'lease',
    header: 'Lease',
    value: ({ id }) => id.slice(id.lastIndexOf('/') + 1),
    below: ({ expire_time: until }) =>
      until === '' ? (
        'Never expires'
      ) : (
        <>
          Expires <Time value={until} isRelative />
        </>
      ),
    width: 210,
    isMono: true,
    isRowHeader: true,
  },
  time('issued', 'Issued', ({ issue_time: at }) => at, ''),
  time('expires', 'Expires', ({ expire_time: at }) => at, 'Never'),
  time('renewed', 'Last renewed', ({ last_renewal_time: at }) => at, 'Never'),
  {
    id: 'kind',
    header: 'Credentials',
    value: ({ renewable }) => (renewable ? 'An IAM user' : 'Temporary credentials'),
    width: 180,
  },
];

function time(
  id: string,
  header: string,
  valueOf: (lease: CloudLease) => string,
  without: string,
): GridColumn<CloudLease> {
  return {
    id,
    header,
    value: (lease) => valueOf(lease) || without,
    cell: (lease) => (valueOf(lease) === '' ? without : <Time value={valueOf(lease)} isRelative />),
    width: 150,
  };
}

/** A role's leases: age and expiry, with actions to renew and revoke them. */
export function RoleLeases({ environment, role, engine }: RoleLeasesProps) {
  const place = { environment, mount: engine.mount, role: role.name };
  const query = useQuery(cloudLeasesQuery(place));
  const client = useSecretsClient();
  const renew = useRenewLease(place);
  const [chosen, setChosen] = useState<GridSelection>(emptyGridSelection);
  const [asking, setAsking] = useState<'all' | readonly CloudLease[]>();
  const leases = query.data?.items ?? none;
  const isHidden = query.data?.items === null;
  const total = query.data?.total ?? 0;
  const selected = leases.filter(({ id }) => chosen.kind === 'rows' && chosen.ids.has(id));
  const cannotRevoke =
    role.may?.revoke_leases === false ? "Your token can't revoke leases on the secrets server." : undefined;

  const renewOne = ({ id }: CloudLease): void => {
    renew.mutate(
      { lease_id: id },
      {
        onSuccess: () => void tell('ok', { title: 'Lease renewed' }),
        onError: (error) => {
          const { title, detail } = wordsOf(error);
          void tell('danger', { title: `Not renewed: ${title}`, detail });
        },
      },
    );
  };
  const revokeAll = (
    <Button
      size={28}
      disabledReason={cannotRevoke ?? (!isHidden && leases.length === 0 ? 'No leases to revoke.' : undefined)}
      onPress={() => {
        setAsking('all');
      }}
    >
      Revoke all
    </Button>
  );
  return (
    <div className="flex h-[calc(100dvh-11rem)] min-h-80 min-w-0 flex-col">
      {isHidden ? (
        <EmptyState
          icon={Lock}
          title="You aren't allowed to list the leases"
          action={revokeAll}
          command={commandFor(
            `vault list ${shellWord(`sys/leases/lookup/${place.mount}/creds/${place.role}`)}`,
            client,
          )}
        >
          Your token needs permission to list sys/leases/lookup/{place.mount}. Without this permission, you
          can revoke a lease by its ID or, if allowed, all leases by their prefix.
        </EmptyState>
      ) : (
        <ListGrid<CloudLease>
          list="cloud-leases"
          label={`Leases of ${role.name}`}
          noun={{ one: 'lease', many: 'leases' }}
          columns={columns}
          rows={leases}
          rowId={idOf}
          rowLabel={({ id }) => id}
          query={query}
          rowActions={(lease) => [
            {
              id: 'renew',
              label: 'Renew',
              disabledReason: lease.renewable
                ? undefined
                : "Temporary credentials can't be renewed. Generate new ones.",
              onAction: () => {
                renewOne(lease);
              },
            },
            {
              id: 'copy',
              label: 'Copy ID',
              onAction: () => void copyText(lease.id, 'Lease ID'),
            },
            {
              id: 'revoke',
              label: 'Revoke',
              isDanger: true,
              disabledReason: cannotRevoke,
              onAction: () => {
                setAsking([lease]);
              },
            },
          ]}
          barEnd={
            <>
              {total > leases.length && (
                <span className="text-meta text-ink-2">
                  {leases.length.toLocaleString('en')} of {total.toLocaleString('en')}, not necessarily the
                  first to expire
                </span>
              )}
              <IconButton
                icon={RotateCw}
                label="Refresh the leases"
                isPending={query.isFetching && query.data !== undefined}
                onPress={() => void query.refetch()}
              />
              {revokeAll}
            </>
          }
          selection={chosen}
          onSelectionChange={setChosen}
          bulkActions={
            <Button
              size={28}
              variant="danger"
              disabledReason={cannotRevoke}
              onPress={() => {
                setAsking(selected);
              }}
            >
              Revoke {selected.length.toLocaleString('en')} {selected.length === 1 ? 'lease' : 'leases'}
            </Button>
          }
          empty={
            <EmptyState
              icon={Clock}
              title="No leases"
              command={commandFor(`vault read ${argument(`${place.mount}/creds/${place.role}`)}`, client)}
              action={<Button onPress={() => void query.refetch()}>Refresh</Button>}
            >
              Credentials issued by this role are listed here until they expire.
            </EmptyState>
          }
        />
      )}
      {asking !== undefined && (
        <Suspense fallback={null}>
          {asking === 'all' ? (
            <RevokeAllLeases
              place={place}
              leases={leases}
              total={isHidden ? undefined : total}
              onClose={() => {
                setAsking(undefined);
                setChosen(emptyGridSelection);
              }}
            />
          ) : (
            <RevokeLeases
              place={place}
              leases={asking}
              onClose={() => {
                setAsking(undefined);
                setChosen(emptyGridSelection);
              }}
            />
          )}
        </Suspense>
      )}
    </div>
  );
}
