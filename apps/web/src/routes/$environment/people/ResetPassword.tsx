import { person as personSchema, type Person } from '@gatehouse/api-types/console/people';
import { Button } from '@gatehouse/ui/button';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { Dialog } from '@gatehouse/ui/dialog';
import { useState } from 'react';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useResetPassword } from '#queries/people.ts';
import { ChangedMeanwhile } from './ChangedMeanwhile.tsx';
import { newPassword } from './new-password.ts';
import { PasswordOnce } from './PasswordOnce.tsx';
import { personName } from './people-columns.tsx';

/** Asks, gives somebody a new password, and shows it once. */
export function ResetPassword({ person, onClose }: { person: Person; onClose: () => void }) {
  const environment = useEnvironment();
  const reset = useResetPassword(environment.id, person.id);
  const [password] = useState(newPassword);
  const [newer, setNewer] = useState<Person>();
  const now = newer ?? person;

  if (reset.isSuccess) {
    return (
      <Dialog
        isOpen
        onOpenChange={onClose}
        title={`New password of ${personName(now)}`}
        footer={
          <Button variant="primary" onPress={onClose}>
            Done
          </Button>
        }
      >
        <PasswordOnce loginName={now.login_name} password={password} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Reset the password of ${personName(now)}?`}
      confirmLabel={newer ? 'Reset it anyway' : 'Reset password'}
      isPending={reset.isPending}
      {...(environment.kind === 'production' && { typedName: now.login_name })}
      error={
        reset.error === null
          ? undefined
          : isApiError(reset.error, 'conflict')
            ? 'The person was changed since you looked. The changes are shown above; confirm again to reset the password.'
            : wordsOf(reset.error).detail
      }
      impacts={[
        { kind: 'breaks', text: 'They are signed out everywhere: all their tokens are void.' },
        { kind: 'worth-knowing', text: 'The new password is shown to you once, to hand over.' },
      ]}
      onConfirm={() => {
        reset.mutate(
          { revision: now.revision, password },
          {
            onError: (error) => {
              const conflict = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
              const current = personSchema.safeParse(conflict?.current);
              if (current.success) setNewer(current.data);
            },
          },
        );
      }}
    >
      <div className="flex flex-col gap-3">
        <p>
          <span className="font-mono text-meta">{now.login_name}</span> in {environment.name}.
        </p>
        {newer && <ChangedMeanwhile seen={person} now={newer} />}
      </div>
    </ConfirmDialog>
  );
}
