/** People as records that can be edited and deleted. */
import {
  fieldsOfPerson,
  person,
  personPolicy,
  type NewPerson,
  type Person,
  type PersonChanges,
} from '@gatehouse/api-types/console/people';
import { UserRound } from 'lucide-react';
import { partialUpdate } from '#components/form/partial-update.ts';
import { personName } from '#components/people/person-words.ts';
import type { RecordKind } from '#components/record/record-kind.ts';
import { people } from '#queries/people.ts';
import { reasonAgainst } from './may.ts';
import { fieldsOfForm, formOfPerson, personForm, type PersonForm } from './person-form.ts';

const form = personForm();

export const personKind: RecordKind<Person, PersonForm, NewPerson, PersonChanges> = {
  calls: people,
  noun: 'person',
  icon: UserRound,
  nameOf: personName,
  reasonAgainst,
  schema: person,
  fieldsOf: (item) => formOfPerson(fieldsOfPerson(item)),
  formOf: () => form,
  // Converts the form's choice of no access.
  bodyOf: (_, { stored, values }) => partialUpdate(personPolicy, fieldsOfForm(stored), fieldsOfForm(values)),
  anewNote: 'A new account gets a new ID and password. Create it as a new person.',
  anewHref: (environment) => `/${environment}/people/new`,
  savedWords: (item) => `${personName(item)} saved`,
};

/** A changed version without changed fields means a new password. */
export function passwordNote(seen: Person, now: Person) {
  const before = JSON.stringify(fieldsOfPerson(seen));
  return before === JSON.stringify(fieldsOfPerson(now)) ? <p>Their password was changed.</p> : null;
}
