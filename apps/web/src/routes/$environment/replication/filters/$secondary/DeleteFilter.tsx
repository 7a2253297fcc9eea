import type { ReplicationFilter } from '@gatehouse/api-types/console/replication-secondaries';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import type { FilterKind } from '../../-filters/filter-kind.tsx';

/** Asks before a secondary receives everything; a filter that was changed meanwhile is shown first. */
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
          text: `${secondary} receives everything. Excluded data is copied there.`,
        },
      ]}
      remark="If you save a filter again later, the data it excludes is deleted from this secondary."
      onClose={onClose}
    >
      <p>It is deleted on the primary, {environment.name}.</p>
    </DeleteRecord>
  );
}
