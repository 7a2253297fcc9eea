import { fieldsOfPerson, type Person } from '@gatehouse/api-types/console/people';
import { DiffList } from '@gatehouse/ui/diff-list';
import { changesBetween } from '#components/form/field-changes.ts';
import { formOfPerson, personForm } from './person-form.ts';

/** What became of somebody since they were looked at: before something is done to them all the same. */
export function ChangedMeanwhile({ seen, now }: { seen: Person; now: Person }) {
  const changes = changesBetween(
    personForm(),
    formOfPerson(fieldsOfPerson(seen)),
    formOfPerson(fieldsOfPerson(now)),
  );
  // A new password is told by the version alone.
  if (changes.length === 0) return <p>Their password was changed.</p>;
  return <DiffList label="Changed meanwhile" beforeLabel="You saw" afterLabel="Now" changes={changes} />;
}
