import {
  memberRoles,
  type Organization,
  type OrganizationMember,
} from '@gatehouse/api-types/console/box-organizations';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { DiffList } from '@gatehouse/ui/diff-list';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { toasts } from '@gatehouse/ui/toast';
import { useState } from 'react';
import { changesSince } from '#components/record/changes-since.ts';
import { useGuarded } from '#components/record/use-guarded.ts';
import { isApiError } from '#lib/api-error.ts';
import { conflictTitles, failureTitle, wordsOf } from '#lib/error-words.ts';
import { useChangeMember } from '#queries/box-accounts.ts';
import { memberKind } from '../../-editing/organization-forms.ts';
import { memberRoleChoices, memberRoleWord } from '../../-editing/role-words.ts';

/** Changes a member's role. A concurrent change is shown, and needs a second confirmation. */
export function ChangeMember({
  environment,
  organization: { username },
  member,
  onClose,
}: {
  environment: string;
  organization: Organization;
  member: OrganizationMember;
  onClose: () => void;
}) {
  const [role, setRole] = useState(member.role);
  const change = useChangeMember(environment, username, member.username);
  const { seen, newer, isPending, error, run } = useGuarded({
    item: member,
    act: ({ revision }) => change.mutateAsync({ revision, role }),
    newerOf: ({ current }) => memberKind.schema.safeParse(current).data,
    onDone: (saved) => {
      toasts.ok({ title: `Role of ${saved.username} is now ${memberRoleWord(saved.role).toLowerCase()}` });
      onClose();
    },
    onGone: () => {
      toasts.warn({ title: 'Not changed', detail: `${member.username} has since been removed.` });
      onClose();
    },
  });
  const submit = (): void => {
    if (!isPending && role === (newer ?? seen).role) onClose();
    else run();
  };
  const isConflict = isApiError(error, 'conflict');
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        if (!isPending) onClose();
      }}
      title={`Role of ${seen.username} in ${username}`}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {newer === undefined ? 'Change role' : 'Change it anyway'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {error !== null && (
          <Banner tone={isConflict ? 'warn' : 'danger'} title={failureTitle(error)}>
            {isConflict
              ? 'The role has since been changed. Confirm again if you still want your change.'
              : wordsOf(error).detail}
          </Banner>
        )}
        {newer !== undefined && (
          <DiffList
            label={conflictTitles.modified}
            beforeLabel="Last seen"
            afterLabel="Current"
            changes={changesSince(memberKind, seen, newer)}
          />
        )}
        <RadioGroup
          label="Role"
          look="card"
          options={memberRoleChoices}
          value={role}
          onChange={(value) => {
            const next = memberRoles.find((item) => item === value);
            if (next !== undefined) setRole(next);
          }}
        />
      </div>
    </Dialog>
  );
}
