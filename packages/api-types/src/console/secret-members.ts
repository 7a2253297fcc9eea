/**
 * The members of request bodies that are secrets, or hold them: they are kept nowhere, told to nobody and compared with
 * nothing. A test holds them against every body of the contract, in which each member is either here or known not to be
 * a secret.
 */
export const secretMembers: ReadonlySet<string> = new Set([
  // Signing in and confirming.
  'credentials',
  'secret',
  'password',
  'current_password',
  'new_password',
  'code',
  'two_factor_code',
  // Credentials and credential stores.
  'token',
  'client_certificate_key',
  'private_key',
  'private_key_passphrase',
  'object',
  // Data of secrets, what it is compared with, and an import's files.
  'data',
  'value',
  'entries',
]);

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
