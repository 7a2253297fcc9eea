import type { Person } from '@gatehouse/api-types/console/people';
import { personName } from '#components/people/person-words.ts';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { AccountPlace } from './AccountPlace.tsx';
import { passwordNote, personKind } from './person-kind.tsx';

/** Asks before deleting a person. */
export function DeletePerson({
  item: person,
  onClose,
}: {
  item: Person;
  /** Called with whether the person is gone. */
  onClose: (isGone: boolean) => void;
}) {
  return (
    <DeleteRecord
      kind={personKind}
      address={person.id}
      item={person}
      title={(now) => `Delete ${personName(now)}?`}
      anywayLabel="Delete anyway"
      doneWords={`${personName(person)} deleted`}
      typedName={person.login_name}
      noteOf={passwordNote}
      impacts={[{ kind: 'breaks', text: 'They are signed out everywhere and can no longer sign in.' }]}
      remark="This can't be undone. To keep the account, disable it instead."
      onClose={onClose}
    >
      <AccountPlace person={person} />
    </DeleteRecord>
  );
}
