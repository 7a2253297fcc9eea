/** Credential types of roles, in words. */
import { cloudCredentialTypes, type CloudCredentialType } from '@gatehouse/api-types/console/cloud-values';

export const typeWords: Readonly<Record<CloudCredentialType, string>> = {
  iam_user: 'IAM user',
  assumed_role: 'Assumed role',
  federation_token: 'Federation token',
};

/** A one-line description of each type. */
export const typeDescriptions: Readonly<Record<CloudCredentialType, string>> = {
  iam_user: 'A user created for each request and deleted when its lease ends',
  assumed_role: 'Temporary keys for a role at the provider, with its permissions',
  federation_token: 'Temporary keys for a federated user, limited to the policies given here',
};

/** A server's type in words; legacy roles list several. */
export function typeInWords(type: string): string {
  return type
    .split(',')
    .map((part) => cloudCredentialTypes.find((known) => known === part.trim()))
    .map((known, index) => (known === undefined ? (type.split(',')[index] ?? '') : typeWords[known]))
    .join(' or ');
}

/** Whether credentials of a type last as long as requested, not as long as a lease. */
export function isTemporary(type: string): boolean {
  return type === 'assumed_role' || type === 'federation_token';
}
