import * as at from '@gatehouse/api-types/console/addresses/access';
import type { Person } from '@gatehouse/api-types/console/people';
import { toasts } from '@gatehouse/ui/toast';
import { useState } from 'react';
import { OnceDialog } from '#components/credentials/OnceDialog.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { personName } from '#components/people/person-words.ts';
import { ConfirmRecord } from '#components/record/ConfirmRecord.tsx';
import { useResetPassword } from '#queries/people.ts';
import { AccountPlace } from './AccountPlace.tsx';
import { newPassword } from './new-password.ts';
import { PasswordOnce } from './PasswordOnce.tsx';
import { passwordNote, personKind } from './person-kind.tsx';

/** Asks before setting a new password, and shows it once. */
export function ResetPassword({ person, onClose }: { person: Person; onClose: () => void }) {
  const environment = useEnvironment();
  const reset = useResetPassword(environment.id, person.id);
  const [password] = useState(newPassword);
  const [done, setDone] = useState<Person>();
  if (done !== undefined) {
    return (
      <OnceDialog title={`New password of ${personName(done)}`} onClose={onClose}>
        <PasswordOnce loginName={done.login_name} password={password} />
      </OnceDialog>
    );
  }
  return (
    <ConfirmRecord
      kind={personKind}
      item={person}
      noteOf={passwordNote}
      title={(now) => `Reset the password of ${personName(now)}?`}
      confirmLabel="Reset password"
      anywayLabel="Reset it anyway"
      harm={at.people.resetPassword.harm}
      typedName={person.login_name}
      impacts={[
        { kind: 'breaks', text: 'They are signed out everywhere, and all their tokens become invalid.' },
        { kind: 'worth-knowing', text: 'The new password is shown once, for you to pass on.' },
      ]}
      act={(revision) => reset.mutateAsync({ revision, password })}
      onDone={setDone}
      onGone={() => {
        toasts.warn({ title: 'Not reset', detail: `Someone else has deleted ${personName(person)}.` });
        onClose();
      }}
      onCancel={onClose}
    >
      <AccountPlace person={person} />
    </ConfirmRecord>
  );
}
