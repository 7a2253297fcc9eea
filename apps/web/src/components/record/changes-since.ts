import type { FieldValues } from 'react-hook-form';
import type { Revised } from '#queries/records.ts';
import { changesBetween, type RecordChange } from '../form/field-changes.ts';
import type { ComparedKind } from './record-kind.ts';

/** Others' changes to a record since the user last saw it, in the words of its form. */
export function changesSince<Item extends Revised, Fields extends FieldValues>(
  { formOf, fieldsOf }: ComparedKind<Item, Fields>,
  seen: Item,
  now: Item,
): readonly RecordChange[] {
  const before = fieldsOf(seen);
  return changesBetween(formOf(seen, before), before, fieldsOf(now));
}
