import type { ReplicationFilter } from '@gatehouse/api-types/console/replication-secondaries';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import type { FilterKind } from '../../-filters/filter-kind.tsx';

/** Asks before a secondary receives everything. A filter that changed since is shown first. */
export function DeleteFilter({
  kind,
  filter,
  onClose,
}: {
  kind: FilterKind;
  filter: ReplicationFilter;
  onClose: (isGone: boolean) => void;
}) {
  const environment = useEnvironment();
  const { secondary } = filter;
  return (
    <DeleteRecord
      kind={kind}
      address={secondary}
      item={filter}
      typedName={secondary}
      impacts={[
        {
          kind: 'updates-itself',
          text: `${secondary} receives everything, including the data that the filter excludes.`,
        },
      ]}
      remark="If you save a filter again later, the data it excludes is deleted from this secondary."
      onClose={onClose}
    >
      <p>The filter is deleted on the primary, {environment.name}.</p>
    </DeleteRecord>
  );
}
