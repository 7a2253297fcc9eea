import type { ReplicationFilter } from '@gatehouse/api-types/console/replication-secondaries';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { Filter, Trash2 } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { replicationHref } from '#components/places/replication.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { queryClient } from '#lib/query-client.ts';
import { recordQuery } from '#queries/record-life.ts';
import { replicationFilters, replicationQuery } from '#queries/replication.ts';
import { lackingRight } from '../../-actions/possible.ts';
import { type FilterKind, filterKindOf } from '../../-filters/filter-kind.tsx';

export const Route = createFileRoute('/$environment/replication/filters/$secondary/')({
  loader: ({ params: { environment, secondary } }) => {
    void queryClient.prefetchQuery(recordQuery(replicationFilters, environment, secondary));
  },
  component: FilterPage,
});

const DeleteFilter = lazy(async () => ({ default: (await import('./DeleteFilter.tsx')).DeleteFilter }));
const route = getRouteApi('/$environment/replication/filters/$secondary/');

/** The mounts and namespaces that a secondary receives, with a preview of losses. */
function FilterPage() {
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
        <DeleteButton
          kind={kind}
          filter={filter}
          reason={
            filter.configured
              ? lackingRight(may, 'delete_filter', 'delete paths filters')
              : `${secondary} has no paths filter and receives everything.`
          }
        />
      )}
    />
  );
}

function DeleteButton({
  kind,
  filter,
  reason,
}: {
  kind: FilterKind;
  filter: ReplicationFilter;
  reason: string | undefined;
}) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
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
        Delete paths filter
      </Button>
      {isAsked && (
        <Suspense fallback={null}>
          <DeleteFilter
            kind={kind}
            filter={filter}
            onClose={(isGone) => {
              setAsked(false);
              if (isGone) void navigate({ href: replicationHref(environment.id) });
            }}
          />
        </Suspense>
      )}
    </>
  );
}
