import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import { isTemporary, typeInWords, typeWords } from '#lib/cloud-types.ts';
import type { RoleForm } from './role-fields.ts';

/** What writing a legacy role with today's parameters changes: each of its two addresses issued a kind of its own. */
export function conversionEffects(
  { mount, name, credential_type: before, invalid_data: invalid }: CloudRole,
  { credential_type: type }: RoleForm,
): readonly string[] {
  if (type === '') return [];
  const types = before.split(',').map((part) => part.trim());
  const issues = typeWords[type];
  /** What one of the two addresses does then, where it gave out `then` until now. */
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
