import {
  fieldsOfMember,
  memberRoles,
  organizationMember,
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
import { changesBetween } from '#components/form/field-changes.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useChangeMember } from '#queries/box-accounts.ts';
import { memberForm } from '../../-editing/organization-forms.ts';
import { memberRoleChoices, memberRoleWord } from '../../-editing/role-words.ts';

/** Gives a member another role. One that others changed meanwhile is shown, and is confirmed knowingly. */
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
  const [seen] = useState(member);
  const [newer, setNewer] = useState<OrganizationMember>();
  const [role, setRole] = useState(seen.role);
  const change = useChangeMember(environment, username, seen.username);
  const now = newer ?? seen;
  const submit = (): void => {
    if (change.isPending) return;
    if (role === now.role) {
      onClose();
      return;
    }
    change.mutate(
      { revision: now.revision, role },
      {
        onSuccess: (saved) => {
          toasts.ok({ title: `${saved.username} is ${memberRoleWord(saved.role).toLowerCase()} now` });
          onClose();
        },
        onError: (error) => {
          const conflict = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
          if (isApiError(error, 'not-found') || conflict?.reason === 'deleted') {
            toasts.warn({ title: 'Not changed', detail: `${seen.username} was removed meanwhile.` });
            onClose();
            return;
          }
          const current = organizationMember.safeParse(conflict?.current);
          if (current.success) setNewer(current.data);
        },
      },
    );
  };
  const isConflict = isApiError(change.error, 'conflict');
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        if (!change.isPending) onClose();
      }}
      title={`Role of ${seen.username} in ${username}`}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={change.isPending}>
            {newer === undefined ? 'Change role' : 'Change it anyway'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {change.isError && (
          <Banner tone={isConflict ? 'warn' : 'danger'} title="It was not done">
            {isConflict
              ? 'Somebody else changed the role since you looked. Confirm again if yours is still right.'
              : wordsOf(change.error).detail}
          </Banner>
        )}
        {newer !== undefined && (
          <DiffList
            label="Changed meanwhile"
            beforeLabel="You saw"
            afterLabel="Now"
            changes={changesBetween(memberForm, fieldsOfMember(seen), fieldsOfMember(newer))}
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
