import type { ServiceName } from '@gatehouse/api-types/console/service';
import { ProblemError } from './problem.ts';

/** The word for a service in a sentence. */
export const nouns: Readonly<Record<ServiceName, string>> = {
  access: 'access controller',
  secrets: 'secrets server',
  boxes: 'box registry',
  modules: 'module registry',
};

/** The account's password or token is right, but it has no role in the service. */
export function noRole(at: { readonly service: ServiceName; readonly environment: string }): ProblemError {
  return new ProblemError('no-access', noRoleAt(at.service), at);
}

/** What to say about a service in which the account has no role. */
export function noRoleAt(service: ServiceName): string {
  return `Your account has no role in the ${nouns[service]}. Ask an administrator for one, then connect again.`;
}

/** Whether a sign-in failed only because the account has no role. */
export function isNoRole(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'no-access';
}
