import {
  memberRoles,
  newMember,
  type MemberRole,
  type Organization,
} from '@gatehouse/api-types/console/box-organizations';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { ComboBox } from '@gatehouse/ui/combo-box';
import { Dialog } from '@gatehouse/ui/dialog';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { toasts } from '@gatehouse/ui/toast';
import { useRef, useState } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useAddMember } from '#queries/box-accounts.ts';
import { memberRoleChoices, memberRoleWord } from '../../-editing/role-words.ts';
import { usePersonChoices } from '../../-editing/use-person-choices.ts';

/** Adds a user to an organization. Offers the access controller's users if you may list them; any name can be typed. */
export function AddMember({
  environment,
  organization: { username, members },
  onClose,
}: {
  environment: string;
  organization: Organization;
  onClose: () => void;
}) {
  const add = useAddMember(environment, username);
  const [role, setRole] = useState<MemberRole>('publisher');
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const known = new Set(members?.map((member) => member.username.toLowerCase()));
  const choices = usePersonChoices(environment, (name) => !known.has(name.toLowerCase()));

  const submit = (): void => {
    const { name } = choices;
    const read = newMember.safeParse({ username: name, role });
    const problem = known.has(name.toLowerCase())
      ? `${name} is already a member.`
      : name === ''
        ? 'Enter a login name.'
        : read.success
          ? undefined
          : (read.error.issues[0]?.message ?? "This isn't a valid login name.");
    setError(problem);
    if (problem !== undefined || add.isPending) {
      input.current?.focus();
      return;
    }
    add.mutate(
      { username: name, role },
      {
        onSuccess: (member) => {
          toasts.ok({ title: `${member.username} added to ${username}` });
          onClose();
        },
        onError: (failure) => {
          if (isApiError(failure, 'conflict')) setError(`${name} is already a member.`);
        },
      },
    );
  };
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        if (!add.isPending) onClose();
      }}
      title={`Add a member to ${username}`}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={add.isPending}>
            Add member
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ComboBox
          label="Login name"
          description="A user with a role in the box registry."
          isRequired
          isMono
          autoFocus
          inputRef={input}
          {...choices.field}
          onSearch={(text) => {
            choices.field.onSearch?.(text);
            setError(undefined);
          }}
          error={error}
        />
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
        {add.isError && !isApiError(add.error, 'conflict') && (
          <Banner tone="danger" title={`Couldn't add the user as ${memberRoleWord(role).toLowerCase()}`}>
            {wordsOf(add.error).detail}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
