import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import { isTemporary, typeInWords, typeWords } from '#lib/cloud-types.ts';
import type { RoleForm } from './role-fields.ts';

/** What converting a legacy role changes: each of its two paths issued its own credential type. */
export function conversionEffects(
  { mount, name, credential_type: before, invalid_data: invalid }: CloudRole,
  { credential_type: type }: RoleForm,
): readonly string[] {
  if (type === '') return [];
  const types = before.split(',').map((part) => part.trim());
  const issues = typeWords[type];
  /** Describes what a path issues now; `then` is the type it issued before. */
  const of = (address: string, then: string | undefined): string =>
    then === undefined || then === type
      ? `${mount}/${address}/${name} issues: ${issues}.`
      : `${mount}/${address}/${name} issues: ${issues}. Previously: ${typeInWords(then)}.`;
  return [
    of('creds', types.includes('iam_user') ? 'iam_user' : undefined),
    of('sts', types.find(isTemporary)),
    'Credentials the role has issued stay valid until their leases end.',
    ...(invalid === '' ? [] : ["The role's invalid data is removed."]),
  ];
}
