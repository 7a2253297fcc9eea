import { absent } from '@gatehouse/record-merge/absent';
import type { FieldPolicy } from '@gatehouse/record-merge/policy';
import type { FieldValues } from 'react-hook-form';
import { fieldAt, type RecordFormSpec } from './record-form.ts';

/** A value in words, for reviews and comparisons; '' for none. Secrets are never shown. */
export function showValue<Values extends FieldValues>(
  spec: Pick<RecordFormSpec<Values>, 'sections' | 'inConflict' | 'policy'>,
  path: readonly string[],
  value: unknown,
): string {
  if (value === absent || value === null || value === undefined || value === '') return '';
  const field = fieldAt(spec, path);
  if (isSecret(spec.policy, path) || field?.input.kind === 'secret') return '••••••••';
  if (field?.show) return field.show(value);
  if (field?.input.kind === 'members' && Array.isArray(value)) {
    const { input } = field;
    return value.map((id) => input.member(String(id)).label).join(', ');
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') {
    const unit = field?.input.kind === 'number' ? field.input.unit : undefined;
    return unit === undefined ? String(value) : `${value.toLocaleString('en')} ${unit}`;
  }
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((item) => showValue(spec, [], item)).join(', ');
  return JSON.stringify(value);
}

/** Whether the value at a path is secret; members of a group are too. */
function isSecret(policy: FieldPolicy | undefined, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined || policy === undefined) return policy?.kind === 'opaque';
  if (policy.kind === 'map') return isSecret(policy.values, rest);
  if (policy.kind !== 'record') return policy.kind === 'opaque';
  return isSecret(Object.hasOwn(policy.fields, key) ? policy.fields[key] : policy.rest, rest);
}
