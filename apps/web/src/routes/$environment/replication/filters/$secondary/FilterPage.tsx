import * as at from '@gatehouse/api-types/console/addresses/replication';
import type { ReplicationFilter } from '@gatehouse/api-types/console/replication-secondaries';
import { Button } from '@gatehouse/ui/button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Filter, Trash2 } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { replicationHref } from '#components/places/replication.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { recordQuery } from '#queries/record-life.ts';
import { replicationFilters, replicationQuery, useReplicationWrites } from '#queries/replication.ts';
import { lackingRight } from '../../-actions/possible.ts';
import { filterKindOf } from '../../-filters/filter-kind.tsx';

const ConfirmAct = lazy(async () => ({
  default: (await import('../../-actions/ConfirmAct.tsx')).ConfirmAct,
}));
const route = getRouteApi('/$environment/replication/filters/$secondary/');

/** Which mounts and namespaces a secondary receives, with a preview of what it would lose. */
export function FilterPage() {
  const { secondary } = route.useParams();
  const environment = useEnvironment();
  const { data: reading } = useQuery(replicationQuery(environment.id));
  const may = reading?.status?.may ?? null;
  const reason = lackingRight(may, 'save_filter', 'save paths filters');
  const kind = useMemo(() => filterKindOf(environment.id, reason), [environment.id, reason]);
  const here = replicationHref(environment.id);
  return (
    <EditRecord
      kind={kind}
      address={secondary}
      icon={Filter}
      title={() => `Paths filter of ${secondary}`}
      ancestors={[{ id: 'replication', label: 'Replication', href: here }]}
      hrefOf={() => here}
      listHref={here}
      actions={(filter) => (
        <DeleteFilter
          filter={filter}
          reason={
            filter.configured
              ? lackingRight(may, 'delete_filter', 'delete paths filters')
              : 'It has no filter: it receives everything.'
          }
        />
      )}
    />
  );
}

function DeleteFilter({ filter, reason }: { filter: ReplicationFilter; reason: string | undefined }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const writes = useReplicationWrites();
  const [isAsked, setAsked] = useState(false);
  const { secondary, revision } = filter;
  return (
    <>
      <Button
        size={28}
        icon={Trash2}
        disabledReason={reason}
        onPress={() => {
          setAsked(true);
        }}
      >
        Delete filter
      </Button>
      {isAsked && (
        <Suspense fallback={null}>
          <ConfirmAct
            title={`Delete the paths filter of ${secondary}?`}
            confirmLabel="Delete filter"
            harm={at.replicationSecondaries.deleteFilter.harm}
            clusterName={secondary}
            done="Paths filter deleted"
            impacts={[
              {
                kind: 'updates-itself',
                text: `${secondary} receives everything: what was kept from it is copied there.`,
              },
            ]}
            act={async () => {
              await writes.deleteFilter(environment.id, secondary, revision);
              queryClient.removeQueries({
                queryKey: recordQuery(replicationFilters, environment.id, secondary).queryKey,
              });
              void navigate({ href: replicationHref(environment.id) });
              return undefined;
            }}
            onClose={() => {
              setAsked(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
