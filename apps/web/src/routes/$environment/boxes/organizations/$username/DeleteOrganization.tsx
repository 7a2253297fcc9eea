import type { Organization } from '@gatehouse/api-types/console/box-organizations';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { counted } from '#lib/counted.ts';
import { organizationKind } from '../../-editing/organization-kind.tsx';

/** Asks for the name before deleting an organization without boxes. */
export function DeleteOrganization({
  organization,
  onClose,
}: {
  organization: Organization;
  /** Called with whether it is gone. */
  onClose: (isGone: boolean) => void;
}) {
  const { username, members } = organization;
  return (
    <DeleteRecord
      kind={organizationKind}
      address={username}
      item={organization}
      typedName={username}
      impacts={[
        {
          kind: 'breaks',
          text: `${members == null ? 'Its members lose' : counted(members.length, 'member loses', 'members lose')} their role in ${username}, and no one can publish under this name.`,
        },
      ]}
      remark="This can't be undone. The name becomes available, and its next owner can publish boxes under it."
      onClose={onClose}
    />
  );
}
