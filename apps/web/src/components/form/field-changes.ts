import type { Change, Path } from '@gatehouse/record-merge';
import { absent } from '@gatehouse/record-merge/absent';
import { diffRecords } from '@gatehouse/record-merge/diff';
import type { FieldChange } from '@gatehouse/ui/diff-list';
import type { FieldValues } from 'react-hook-form';
import { secretAt } from '../conflict/secret-twin.ts';
import { labelAt, type RecordFormSpec } from './record-form.ts';
import { showValue } from './show-value.ts';

export interface RecordChange extends FieldChange {
  readonly path: Path;
  readonly stored: unknown;
}

/** The differences between the stored record and the form, in words, in the order of the policy. */
export function changesBetween<Values extends FieldValues>(
  spec: RecordFormSpec<Values>,
  stored: Values,
  values: Values,
): readonly RecordChange[] {
  return (
    diffRecords(spec.policy, stored, values)
      // An HMAC isn't edited: it changes with its secret.
      .filter(({ path }) => secretAt(spec.policy, path) === undefined)
      .map((change) => ({ ...describeChange(spec, change), path: change.path, stored: change.before }))
  );
}

function describeChange<Values extends FieldValues>(
  spec: RecordFormSpec<Values>,
  { path, before, after }: Pick<Change, 'path' | 'before' | 'after'>,
): FieldChange {
  const isUnset = (value: unknown): boolean => value === absent || value === null || value === '';
  return {
    id: path.join('.'),
    label: labelAt(spec, path),
    kind: isUnset(before) ? 'added' : isUnset(after) ? 'removed' : 'changed',
    before: showValue(spec, path, before),
    after: showValue(spec, path, after),
  };
}
