/** A role's fields by credential type, and what changing the type loses. */
import type { CloudRoleFields } from '@gatehouse/api-types/console/cloud-roles';
import {
  cloudRoleFieldNames,
  cloudRoleFieldsOf,
  commonRoleFields,
  type CloudCredentialType,
  type CloudRoleField,
} from '@gatehouse/api-types/console/cloud-values';

/** A role in the form. A legacy role has no type until you choose one. */
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

/** Whether a type uses a field. Without a type, the fields that most types use. */
export function hasUseFor(type: RoleForm['credential_type'], field: RoleField): boolean {
  return type === '' ? commonRoleFields.includes(field) : cloudRoleFieldsOf[type].includes(field);
}

/** The values to save: empties fields that the chosen type doesn't use. */
export function withoutUnused<Values extends RoleForm>(values: Values): Values {
  const { credential_type: type } = values;
  if (type === '') return values;
  const unused = cloudRoleFieldNames.filter((field) => !hasUseFor(type, field));
  return { ...values, ...Object.fromEntries(unused.map((field) => [field, blankRole[field]])) };
}

export interface LostField {
  readonly label: string;
  /** The field's value as text. */
  readonly value: string;
  /** It limits the issued credentials, which can do more without it. */
  readonly isLimit: boolean;
}

/** The fields lost by changing the type, stored or entered; if both, the stored value. */
export function lostByEdit(stored: RoleForm, values: RoleForm): readonly LostField[] {
  const { credential_type } = values;
  if (credential_type === stored.credential_type) return [];
  const fromStored = lostFields({ ...stored, credential_type });
  const entered = lostFields(values).filter(({ label }) => !fromStored.some((lost) => lost.label === label));
  return [...fromStored, ...entered];
}

/** The fields that saving loses, because the chosen type doesn't have them. */
export function lostFields(values: RoleForm): readonly LostField[] {
  const { credential_type: type } = values;
  if (type === '') return [];
  return cloudRoleFieldNames.flatMap((field) => {
    const value = inWords(values[field]);
    // Servers return the default path.
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
