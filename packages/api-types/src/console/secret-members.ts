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
