import type { Host } from '@gatehouse/api-types/console/host-sources';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { nameOrId } from '#components/record/record-kind.ts';
import { hostSets } from '#queries/host-sources.ts';
import { recordListQuery } from '#queries/records.ts';
import { targetsUsingQuery } from '#queries/target-sources.ts';
import { hostKind } from '#routes/$environment/host-sources/forms.ts';

/** Asks before deleting a host, and names the sets that lose it. */
export function DeleteHost({ item, onClose }: { item: Host; onClose: (isGone: boolean) => void }) {
  const environment = useEnvironment();
  const { data } = useQuery(recordListQuery(hostSets, environment.id, item.host_catalog_id));
  const holding = data?.filter(({ id }) => item.host_set_ids.includes(id));
  const emptied = holding?.filter(({ host_ids }) => host_ids.length === 1) ?? [];
  const using = useQuery({
    ...targetsUsingQuery(
      environment.id,
      item.scope.id,
      ['host_source_ids'],
      emptied.map(({ id }) => id),
    ),
    enabled: emptied.length > 0,
  });
  const isKnown = holding !== undefined && (emptied.length === 0 || using.data !== undefined);
  const impacts = isKnown
    ? holding.map((set) => {
        const isEmptied = emptied.includes(set);
        const targets = using.data?.filter(({ host_source_ids: ids }) => ids.includes(set.id)) ?? [];
        return {
          kind: isEmptied && targets.length > 0 ? ('breaks' as const) : ('worth-knowing' as const),
          text: isEmptied
            ? `Host set ${nameOrId(set)} will be empty${targets.length > 0 ? `; used by ${targets.map(({ name }) => name).join(', ')}` : ''}.`
            : `Host set ${nameOrId(set)} loses this host and keeps ${(set.host_ids.length - 1).toLocaleString('en')} other${set.host_ids.length === 2 ? '' : 's'}.`,
        };
      })
    : undefined;
  return <DeleteRecord kind={hostKind} address={item.id} item={item} impacts={impacts} onClose={onClose} />;
}
