import * as at from '@gatehouse/api-types/console/addresses/access';
import type { Person } from '@gatehouse/api-types/console/people';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useLadder } from '#components/guards/use-ladder.ts';
import { personName } from '#components/people/person-words.ts';
import { counted } from '#lib/counted.ts';
import { failureTitle, wordsOf } from '#lib/error-words.ts';
import { useEndConsoleSessions } from '#queries/people.ts';

/** Asks before ending a person's sessions of the console, except this one. */
export function SignOut({ person, count, onClose }: { person: Person; count: number; onClose: () => void }) {
  const environment = useEnvironment();
  const end = useEndConsoleSessions(environment.id, person.id);
  const { asks } = useLadder(at.people.endConsoleSessions.harm, person.login_name);
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Sign ${personName(person)} out of the console?`}
      confirmLabel={`End ${counted(count, 'session')}`}
      impacts={[
        { kind: 'breaks', text: 'What they are editing is kept only if they sign in again in the same tab.' },
        { kind: 'worth-knowing', text: 'They can sign in again. To prevent that, lock them out.' },
      ]}
      {...asks}
      isPending={end.isPending}
      errorTitle={failureTitle(end.error)}
      error={end.error === null ? undefined : wordsOf(end.error).detail}
      onConfirm={() => {
        end.mutate(undefined, {
          onSuccess: ({ ended }) => {
            onClose();
            toasts.ok({ title: `${counted(ended, 'session')} of ${personName(person)} ended` });
          },
        });
      }}
    />
  );
}
