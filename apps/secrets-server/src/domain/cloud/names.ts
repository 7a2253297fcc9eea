import { randomBase62 } from '@gatehouse/service-kit/ids';

/** The maximum length of the names of users and sessions, in characters. */
const longestName = 64;
/** The maximum length of a federated user's name, in characters. */
const longestFederatedName = 32;
const randomLength = 16;

/**
 * Generates the name of a new user, or of a session requested without a name. The `vault-` prefix is that of other
 * secrets servers, because policies at the provider often match `vault-*`.
 * @param displayName of the requesting token
 * @param now milliseconds since the epoch
 */
export function newUserName(displayName: string, role: string, now: number): string {
  const end = `-${Math.floor(now / 1000)}-${randomBase62(randomLength)}`;
  const start = `vault-${displayName}-${role}`.slice(0, longestName - end.length);
  return clean(start) + end;
}

/** Generates the name of a federated user. @param now milliseconds since the epoch */
export function newFederatedName(now: number): string {
  return `vault-${Math.floor(now / 1000)}-${randomBase62(randomLength)}`.slice(0, longestFederatedName);
}

/** Makes a session name valid at the provider: truncates it to 64 characters and replaces disallowed ones. */
export function sessionName(wished: string): string {
  return clean(wished.slice(0, longestName));
}

function clean(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9+=,.@_-]/gu, '_');
}
