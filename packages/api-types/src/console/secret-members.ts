import { allEndpoints } from './endpoints.ts';
import { secretsOf } from './field-kinds.ts';

/**
 * The body members declared as secrets in any operation: never stored, reported or compared, wherever a member of that
 * name occurs. A test checks that every body member of the contract is either one of these or reviewed as harmless.
 */
export const secretMembers: ReadonlySet<string> = new Set(
  allEndpoints.flatMap(({ body }) => (body === undefined ? [] : [...secretsOf(body)])),
);

/** Whether a body contains a secret at any depth. */
export function hasSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSecret);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, inner]: [string, unknown]) => secretMembers.has(name) || hasSecret(inner),
  );
}

/** A body without its secrets, at any depth. */
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
