import { allEndpoints } from './endpoints.ts';
import { secretsOf } from './field-kinds.ts';

/**
 * The members of request bodies that are declared secrets, of all operations: they are kept nowhere, told to nobody and
 * compared with nothing, wherever a member of that name stands. A test holds them against every body of the contract,
 * in which each member is either one of these or known not to be a secret.
 */
export const secretMembers: ReadonlySet<string> = new Set(
  allEndpoints.flatMap(({ body }) => (body === undefined ? [] : [...secretsOf(body)])),
);

/** Whether something of a body, however deep, is a secret. */
export function hasSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSecret);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, inner]: [string, unknown]) => secretMembers.has(name) || hasSecret(inner),
  );
}

/** A body without its secrets, however deep they stand. */
export function withoutSecrets(body: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name]) => !secretMembers.has(name))
      .map(([name, value]: [string, unknown]) => [name, plainOf(value)]),
  );
}

function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf);
  return typeof value === 'object' && value !== null ? withoutSecrets(value) : value;
}
