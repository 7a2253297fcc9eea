import { randomBase62 } from '@gatehouse/service-kit/ids';

/** Longest name of a user and of a session, in characters. */
const longestName = 64;
/** Longest name of a federated user. */
const longestFederatedName = 32;
const randomLength = 16;

/**
 * Name of a new user, or of a session that got none. Begins as other servers of the field name theirs, because policies
 * of providers speak of `vault-*`.
 * @param displayName of the token that asks
 * @param now milliseconds since the epoch
 */
export function newUserName(displayName: string, role: string, now: number): string {
  const end = `-${Math.floor(now / 1000)}-${randomBase62(randomLength)}`;
  return `vault-${clean(`${displayName}-${role}`)}`.slice(0, longestName - end.length) + end;
}

/** Name of a federated user. @param now milliseconds since the epoch */
export function newFederatedName(now: number): string {
  return `vault-${Math.floor(now / 1000)}-${randomBase62(randomLength)}`.slice(0, longestFederatedName);
}

/** A session's name as the provider takes it: 64 characters at most, foreign ones replaced. */
export function sessionName(wished: string): string {
  return clean(wished).slice(0, longestName);
}

function clean(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9+=,.@_-]/gu, '_');
}
