import type { FieldValues } from 'react-hook-form';
import type { Revised } from '#queries/records.ts';
import { changesBetween, type RecordChange } from '../form/field-changes.ts';
import type { ComparedKind } from './record-kind.ts';

/** What others changed of a record since the person looked at it, in the words of its form. */
export function changesSince<Item extends Revised, Fields extends FieldValues>(
  { formOf, fieldsOf }: ComparedKind<Item, Fields>,
  seen: Item,
  now: Item,
): readonly RecordChange[] {
  const before = fieldsOf(seen);
  return changesBetween(formOf(seen, before), before, fieldsOf(now));
}
