import * as at from '@gatehouse/api-types/console/addresses/boxes';
import type { Organization, OrganizationMember } from '@gatehouse/api-types/console/box-organizations';
import { toasts } from '@gatehouse/ui/toast';
import { ConfirmRecord } from '#components/record/ConfirmRecord.tsx';
import { useRemoveMember } from '#queries/box-accounts.ts';
import { memberKind } from '../../-editing/organization-forms.ts';
import { memberRoleWord } from '../../-editing/role-words.ts';

/** Asks before removing a member, or before you leave the organization. */
export function RemoveMember({
  environment,
  organization: { username },
  member,
  isSelf,
  onClose,
}: {
  environment: string;
  organization: Organization;
  member: OrganizationMember;
  isSelf: boolean;
  onClose: () => void;
}) {
  const remove = useRemoveMember(environment, username, member.username);
  const done = (): void => {
    toasts.ok({ title: isSelf ? `You left ${username}` : `${member.username} removed from ${username}` });
    onClose();
  };
  const who = isSelf ? 'You' : 'They';
  return (
    <ConfirmRecord
      kind={memberKind}
      item={member}
      harm={at.organizationMembers.remove.harm}
      typedName={member.username}
      title={isSelf ? `Leave ${username}?` : `Remove ${member.username} from ${username}?`}
      confirmLabel={isSelf ? 'Leave organization' : 'Remove member'}
      anywayLabel={isSelf ? 'Leave anyway' : 'Remove them anyway'}
      impacts={[
        {
          kind: 'breaks',
          text: `${who} can no longer see the private boxes of ${username}${member.role === 'reader' ? '' : ', or publish boxes under its name'}. Machines that use ${isSelf ? 'your' : 'their'} tokens can't download them either.`,
        },
        {
          kind: 'worth-knowing',
          text: `Current role: ${memberRoleWord(member.role).toLowerCase()}. An owner can add ${isSelf ? 'you' : 'them'} again.`,
        },
      ]}
      act={remove.mutateAsync}
      onDone={done}
      onGone={done}
      onCancel={onClose}
    />
  );
}
