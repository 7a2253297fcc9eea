import { harmOfPersonChanges } from '@gatehouse/api-types/console/harm-of';
import type { Person } from '@gatehouse/api-types/console/people';
import { toasts } from '@gatehouse/ui/toast';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { personName } from '#components/people/person-words.ts';
import { ConfirmRecord } from '#components/record/ConfirmRecord.tsx';
import { people } from '#queries/people.ts';
import { useUpdateRecord } from '#queries/record-life.ts';
import { AccountPlace, useAccountPlaces } from './AccountPlace.tsx';
import { passwordNote, personKind } from './person-kind.tsx';

const enabled = { disabled: false };

/** Asks before enabling a disabled person again. */
export function LetIn({ person, onClose }: { person: Person; onClose: () => void }) {
  const environment = useEnvironment();
  const { names, areAll } = useAccountPlaces();
  const update = useUpdateRecord(people, environment.id);
  return (
    <ConfirmRecord
      kind={personKind}
      item={person}
      noteOf={passwordNote}
      title={(now) => `Let ${personName(now)} in again?`}
      confirmLabel="Let in again"
      anywayLabel="Let in anyway"
      harm={harmOfPersonChanges(enabled)}
      typedName={person.login_name}
      impacts={[
        { kind: 'worth-knowing', text: 'They can sign in with the same password and roles as before.' },
        {
          kind: 'worth-knowing',
          text: `Their earlier sessions and tokens stay invalid.${areAll ? '' : ' Their accounts in other environments stay as they are.'}`,
        },
      ]}
      act={(revision) => update.mutateAsync({ address: person.id, guard: { revision }, changes: enabled })}
      onDone={(now) => {
        toasts.ok({ title: `${personName(now)} can sign in again in ${names}` });
        onClose();
      }}
      onGone={() => {
        toasts.warn({ title: 'Not enabled', detail: `Someone else has deleted ${personName(person)}.` });
        onClose();
      }}
      onCancel={onClose}
    >
      <AccountPlace person={person} />
    </ConfirmRecord>
  );
}
