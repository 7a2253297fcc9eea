import type { Organization, OrganizationMember } from '@gatehouse/api-types/console/box-organizations';
import { Avatar } from '@gatehouse/ui/avatar';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { MenuButton } from '@gatehouse/ui/menu';
import { LogOut, UserMinus, UserRoundCog } from 'lucide-react';
import { memberRoleWord } from '../../-editing/role-words.ts';

/** The members of an organization and their roles. */
export function MembersCard({
  organization: { username, members },
  self,
  cannotManage,
  onAdd,
  onChange,
  onRemove,
}: {
  organization: Organization;
  /** Your name in the registry; undefined while loading. */
  self: string | undefined;
  cannotManage: string | undefined;
  onAdd: () => void;
  onChange: (member: OrganizationMember) => void;
  onRemove: (member: OrganizationMember) => void;
}) {
  const owners = members?.filter(({ role }) => role === 'owner').length ?? 0;
  return (
    <Card
      title={members === null ? 'Members' : `Members (${members.length.toLocaleString('en')})`}
      isFlush
      actions={
        <Button size={28} variant="primary" shortcut="c" disabledReason={cannotManage} onPress={onAdd}>
          Add a member
        </Button>
      }
      footer="Administrators of the box registry can manage every organization without being members."
    >
      {members === null || members.length === 0 ? (
        <p className="p-4 text-body text-ink-2">
          {members === null
            ? `Only members of ${username} can see who belongs to it.`
            : 'No members yet. Only registry administrators can manage this organization.'}
        </p>
      ) : (
        <ul aria-label={`Members of ${username}`}>
          {members.map((member) => {
            const isSelf = member.username === self;
            const isLastOwner = member.role === 'owner' && owners === 1;
            const lastOwner = isLastOwner
              ? 'This is the last owner. Make someone else an owner first.'
              : undefined;
            return (
              <li
                key={member.username}
                className="flex items-center gap-3 border-b border-line py-2 ps-4 pe-2 last:border-b-0"
              >
                <Avatar name={member.full_name === '' ? member.username : member.full_name} />
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-center gap-2">
                    <span className="font-medium wrap-anywhere text-ink-1">
                      {member.full_name === '' ? member.username : member.full_name}
                    </span>
                    {isSelf && <Badge tone="accent">You</Badge>}
                  </p>
                  {member.full_name !== '' && (
                    <p className="font-mono text-meta wrap-anywhere text-ink-2">{member.username}</p>
                  )}
                </div>
                <Badge>{memberRoleWord(member.role)}</Badge>
                <MenuButton
                  label={`Actions for ${member.username}`}
                  isOverflow
                  size={28}
                  placement="bottom end"
                  items={[
                    {
                      id: 'role',
                      label: 'Change role',
                      icon: UserRoundCog,
                      disabledReason: cannotManage ?? lastOwner,
                      onAction: () => {
                        onChange(member);
                      },
                    },
                    'separator',
                    {
                      id: 'remove',
                      label: isSelf ? 'Leave' : 'Remove',
                      icon: isSelf ? LogOut : UserMinus,
                      isDanger: true,
                      // Every member may leave.
                      disabledReason: (isSelf ? undefined : cannotManage) ?? lastOwner,
                      onAction: () => {
                        onRemove(member);
                      },
                    },
                  ]}
                />
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
