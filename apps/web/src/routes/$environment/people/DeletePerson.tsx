import { person as personSchema, type Person } from '@gatehouse/api-types/console/people';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { forgetPerson, useDeletePerson } from '#queries/people.ts';
import { ChangedMeanwhile } from './ChangedMeanwhile.tsx';
import { personName } from './people-columns.tsx';

/** Asks, then deletes somebody. Who was changed meanwhile is not deleted unseen. */
export function DeletePerson({
  person,
  onClose,
}: {
  person: Person;
  /** Told whether the person is gone. */
  onClose: (isGone: boolean) => void;
}) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const remove = useDeletePerson(environment.id);
  const [newer, setNewer] = useState<Person>();
  const now = newer ?? person;
  const name = personName(now);

  const run = (): void => {
    remove.mutate(
      { id: now.id, revision: now.revision },
      {
        onSuccess: () => {
          toasts.ok({ title: `${name} deleted` });
          onClose(true);
        },
        onError: (error) => {
          const conflict = isApiError(error, 'conflict') ? error.problem?.conflict : undefined;
          const current = personSchema.safeParse(conflict?.current);
          if (isApiError(error, 'not-found') || conflict?.reason === 'deleted') {
            // Somebody else was faster: it is what was wanted.
            forgetPerson(queryClient, environment.id, now.id);
            onClose(true);
          } else if (current.success) setNewer(current.data);
        },
      },
    );
  };

  return (
    <ConfirmDialog
      isOpen
      onOpenChange={() => {
        if (!remove.isPending) onClose(false);
      }}
      title={`Delete ${name}?`}
      confirmLabel={newer ? 'Delete anyway' : 'Delete person'}
      typedName={now.login_name}
      isPending={remove.isPending}
      error={
        remove.error === null
          ? undefined
          : isApiError(remove.error, 'conflict')
            ? 'The person was changed since you looked. The changes are shown above; confirm again to delete.'
            : wordsOf(remove.error).detail
      }
      impacts={[
        { kind: 'breaks', text: 'They are signed out everywhere, and cannot sign in any more.' },
        { kind: 'worth-knowing', text: 'It cannot be taken back. To keep the person, disable them.' },
      ]}
      onConfirm={run}
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
