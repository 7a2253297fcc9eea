import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { cloudLeaseCountQuery } from '#queries/cloud.ts';
import { targetsUsingSecretQuery } from '#queries/secret-uses.ts';
import { deleteImpacts } from './delete-impacts.ts';
import { roleKindOf } from './role-kind.tsx';

/** Asks with the leases that outlive it and the targets that use it in sight, then deletes a role. */
export function DeleteRole({ item, onClose }: { item: CloudRole; onClose: (isGone: boolean) => void }) {
  const { id: environment } = useEnvironment();
  const { mount, name } = item;
  const place = { environment, mount, role: name };
  const leases = useQuery(cloudLeaseCountQuery(place));
  const targets = useQuery(targetsUsingSecretQuery(place));
  const isKnown = !leases.isPending && !targets.isPending;
  const impacts: readonly Impact[] | undefined = isKnown
    ? deleteImpacts(leases.data ?? null, targets.data ?? null)
    : undefined;
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
