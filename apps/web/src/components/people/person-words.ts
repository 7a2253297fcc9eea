import type { Person, Role } from '@gatehouse/api-types/console/people';
import type { ServiceName } from '@gatehouse/api-types/console/service';

const words: Readonly<Record<Role, string>> = {
  administrator: 'Administrator',
  operator: 'Operator',
  'read-only': 'Reader',
};

/** A person's display name. */
export function personName({
  full_name: name,
  login_name: login,
}: Pick<Person, 'full_name' | 'login_name'>): string {
  return name === '' ? login : name;
}

/** A role's name; null is no access. */
export function roleWord(role: Role | null): string {
  return role === null ? 'No access' : words[role];
}

/** The services with roles, in display order. */
export const serviceOrder = [
  'access',
  'secrets',
  'boxes',
  'modules',
] as const satisfies readonly ServiceName[];
