import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { useTargetsReading } from '#components/source/use-targets-reading.ts';
import { cloudLeaseCountQuery } from '#queries/cloud.ts';
import { deleteImpacts } from './delete-impacts.ts';
import { roleKindOf } from './role-kind.tsx';

/** Asks before deleting a role, and shows the leases that outlive it and the targets that use it. */
export function DeleteRole({ item, onClose }: { item: CloudRole; onClose: (isGone: boolean) => void }) {
  const environment = useEnvironment();
  const { mount, name } = item;
  const place = { environment: environment.id, mount, role: name };
  const leases = useQuery(cloudLeaseCountQuery(place));
  const targets = useTargetsReading(place);
  const impacts: readonly Impact[] | undefined =
    leases.isPending || targets === undefined ? undefined : deleteImpacts(leases.data ?? null, targets);
  return (
    <DeleteRecord
      kind={roleKindOf(mount)}
      address={name}
      item={item}
      impacts={impacts}
      remark="This can't be undone. A role of the same name can be created again."
      onClose={onClose}
    >
      <p>
        <span className="font-mono text-meta">
          {mount}/roles/{name}
        </span>
      </p>
    </DeleteRecord>
  );
}
