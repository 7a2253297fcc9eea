import type { HostSet } from '@gatehouse/api-types/console/host-sources';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { sourceImpacts } from '#components/source/source-impacts.ts';
import { targetsUsingQuery } from '#queries/target-sources.ts';
import { hostSetKind } from '#routes/$environment/host-sources/forms.ts';

/** Asks before deleting a host set, and names the targets that use it. */
export function DeleteHostSet({ item, onClose }: { item: HostSet; onClose: (isGone: boolean) => void }) {
  const environment = useEnvironment();
  const using = useQuery(targetsUsingQuery(environment.id, item.scope.id, ['host_source_ids'], [item.id]));
  const count = item.host_ids.length;
  const impacts = using.data && [
    ...sourceImpacts(using.data, [item.id], ['host_source_ids']),
    ...(count === 0
      ? []
      : [
          {
            kind: 'updates-itself' as const,
            text: `${count === 1 ? 'Its host stays' : `Its ${count.toLocaleString('en')} hosts stay`} in the catalog.`,
          },
        ]),
  ];
  return (
    <DeleteRecord kind={hostSetKind} address={item.id} item={item} impacts={impacts} onClose={onClose} />
  );
}
