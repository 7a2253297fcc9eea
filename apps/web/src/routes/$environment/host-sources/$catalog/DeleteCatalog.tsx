import type { HostCatalog } from '@gatehouse/api-types/console/host-sources';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { sourceImpacts } from '#components/source/source-impacts.ts';
import { hosts, hostSets } from '#queries/host-sources.ts';
import { recordListQuery } from '#queries/records.ts';
import { targetsUsingQuery } from '#queries/target-sources.ts';
import { catalogKind } from '../forms.ts';

/** Asks before deleting a catalog with everything in it. */
export function DeleteCatalog({ item, onClose }: { item: HostCatalog; onClose: (isGone: boolean) => void }) {
  const environment = useEnvironment();
  const sets = useQuery(recordListQuery(hostSets, environment.id, item.id));
  const all = useQuery(recordListQuery(hosts, environment.id, item.id));
  const ids = sets.data?.map(({ id }) => id) ?? [];
  const using = useQuery({
    ...targetsUsingQuery(environment.id, item.scope_id, ['host_source_ids'], ids),
    enabled: sets.data !== undefined,
  });
  const impacts =
    using.data && sets.data && all.data
      ? [
          ...sourceImpacts(using.data, ids, ['host_source_ids']),
          {
            kind: 'worth-knowing' as const,
            text: `Deleted with it: ${count(sets.data.length, 'host set')} and ${count(all.data.length, 'host')}.`,
          },
        ]
      : undefined;
  return (
    <DeleteRecord kind={catalogKind} address={item.id} item={item} impacts={impacts} onClose={onClose} />
  );
}

function count(value: number, noun: string): string {
  return `${value.toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`;
}
