import type { FieldValues } from 'react-hook-form';
import type { Choice, RecordFormSpec } from '../form/record-form.ts';
import { NewRecord, type NewRecordProps } from './NewRecord.tsx';
import { usePlaces, type Placed, type PlacedKind } from './placed-kind.ts';
import { WithProjects } from './WithProjects.tsx';

/** The page that creates a record in a project that allows it. */
export function NewPlaced<Item extends Placed, Values extends FieldValues, New>({
  kind,
  blankIn,
  formIn,
  ...form
}: Omit<
  NewRecordProps<Item, Values, New>,
  'kind' | 'ancestors' | 'blank' | 'formOf' | 'hrefOf' | 'cancelHref'
> & {
  kind: PlacedKind<Item, New>;
  /** Initial values: in the only project, or without one. */
  blankIn: (project: string) => Values;
  formIn: (projects: readonly Choice[], values: Values) => RecordFormSpec<Values>;
}) {
  const places = usePlaces(kind);
  return (
    <WithProjects {...places} title={`New ${kind.noun}`} collection={kind.calls.key} many={kind.many}>
      {(projects) => (
        <NewRecord
          {...places}
          {...form}
          kind={kind}
          blank={blankIn(projects.length === 1 ? (projects[0]?.value ?? '') : '')}
          formOf={(values) => formIn(projects, values)}
        />
      )}
    </WithProjects>
  );
}
