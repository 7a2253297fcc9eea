/** The fields of a role by what it issues, and what a change of that loses. */
import type { CloudRoleFields } from '@gatehouse/api-types/console/cloud-roles';
import {
  cloudRoleFieldNames,
  cloudRoleFieldsOf,
  commonRoleFields,
  type CloudCredentialType,
  type CloudRoleField,
} from '@gatehouse/api-types/console/cloud-values';

/** A role as the form holds it: of a legacy one what it is to issue is not chosen yet. */
export interface RoleForm extends Omit<CloudRoleFields, 'credential_type'> {
  credential_type: CloudCredentialType | '';
}

export type RoleField = CloudRoleField;

export const fieldLabels: Readonly<Record<RoleField, string>> = {
  role_arns: 'Role ARNs',
  policy_arns: 'Policy ARNs',
  policy_document: 'Policy document',
  iam_groups: 'IAM groups',
  iam_tags: 'Tags',
  session_tags: 'Session tags',
  external_id: 'External ID',
  default_sts_ttl: 'Default TTL',
  max_sts_ttl: 'Maximum TTL',
  user_path: 'User path',
  permissions_boundary_arn: 'Permissions boundary',
};

export const blankRole: Omit<RoleForm, 'credential_type'> = {
  role_arns: [],
  policy_arns: [],
  policy_document: '',
  iam_groups: [],
  iam_tags: {},
  session_tags: {},
  external_id: '',
  default_sts_ttl: '',
  max_sts_ttl: '',
  user_path: '',
  permissions_boundary_arn: '',
};

/** Whether a type has a use for a field; of no type yet all are shown that most have. */
export function hasUseFor(type: RoleForm['credential_type'], field: RoleField): boolean {
  return type === '' ? commonRoleFields.includes(field) : cloudRoleFieldsOf[type].includes(field);
}

/** What is saved: fields that the type has no use for are empty, whatever was entered before it was chosen. */
export function withoutUnused<Values extends RoleForm>(values: Values): Values {
  const { credential_type: type } = values;
  if (type === '') return values;
  const unused = cloudRoleFieldNames.filter((field) => !hasUseFor(type, field));
  return { ...values, ...Object.fromEntries(unused.map((field) => [field, blankRole[field]])) };
}

export interface LostField {
  readonly label: string;
  /** What it holds, in words. */
  readonly value: string;
  /** It limits what is issued: without it that may do more. */
  readonly isLimit: boolean;
}

/** What an edit to another type loses, stored or entered since; where both are, what is stored. */
export function lostByEdit(stored: RoleForm, values: RoleForm): readonly LostField[] {
  const { credential_type } = values;
  if (credential_type === stored.credential_type) return [];
  const fromStored = lostFields({ ...stored, credential_type });
  const entered = lostFields(values).filter(({ label }) => !fromStored.some((lost) => lost.label === label));
  return [...fromStored, ...entered];
}

/** What is filled in and has no place in a role of the chosen type: saving loses it. */
export function lostFields(values: RoleForm): readonly LostField[] {
  const { credential_type: type } = values;
  if (type === '') return [];
  return cloudRoleFieldNames.flatMap((field) => {
    const value = inWords(values[field]);
    // Servers write the usual path.
    const isUnset = value === '' || (field === 'user_path' && value === '/');
    if (isUnset || hasUseFor(type, field)) return [];
    return [{ label: fieldLabels[field], value, isLimit: field === 'permissions_boundary_arn' }];
  });
}

function inWords(value: RoleForm[RoleField]): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(', ');
  return Object.entries(value)
    .map(([key, text]) => `${key}=${text}`)
    .join(', ');
}
