import { Refusal } from './refusal.ts';

/**
 * The position of a listing. Clients send it back unread. It grants nothing: each page is authorized separately.
 * `change` numbers count all changes of the collection, and show what has changed since a listing began.
 */
export type ListPosition =
  /** Within a first listing, newest first, that began at change `since`. */
  | {
      readonly phase: 'listing';
      readonly since: number;
      readonly after: { readonly createdTime: number; readonly id: string };
    }
  /** At the end of a listing; the next page has the changes after `since`. */
  | { readonly phase: 'listed'; readonly since: number }
  /** Within a refresh, last change first, that began at change `until`. */
  | { readonly phase: 'refreshing'; readonly since: number; readonly until: number; readonly before: number };

/** How long a token is valid, in milliseconds: as long as removed items are remembered. */
export const listTokenLifetime = 30 * 24 * 60 * 60 * 1000;

/** Formats a position as text. @param query the listing, the only one that the token is valid for */
export function formatListToken(position: ListPosition, query: string, now: number): string {
  return Buffer.from(JSON.stringify([1, fingerprint(query), now, position]), 'utf8').toString('base64url');
}

/**
 * Parses a token.
 * @param query the present listing
 * @throws Refusal `invalid list token` if it is malformed, too old, or for another listing
 */
export function parseListToken(token: string, query: string, now: number): ListPosition {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    throw invalidListToken('It is malformed.');
  }
  if (!Array.isArray(parsed) || parsed.length !== 4 || parsed[0] !== 1)
    throw invalidListToken('It is malformed.');
  const [, of, issued, position] = parsed as readonly unknown[];
  if (!isPosition(position) || !isCount(issued)) throw invalidListToken('It is malformed.');
  if (of !== fingerprint(query)) throw invalidListToken('It belongs to a list with different parameters.');
  if (issued + listTokenLifetime < now) throw invalidListToken('It has expired.');
  return position;
}

export function invalidListToken(why: string): Refusal {
  return new Refusal('invalid list token', `The list token can't be used. ${why}`);
}

function isPosition(value: unknown): value is ListPosition {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('phase' in value) ||
    !('since' in value) ||
    !isCount(value.since)
  )
    return false;
  switch (value.phase) {
    case 'listed':
      return true;
    case 'refreshing':
      return 'until' in value && isCount(value.until) && 'before' in value && isCount(value.before);
    case 'listing': {
      if (!('after' in value) || typeof value.after !== 'object' || value.after === null) return false;
      const after = value.after;
      return (
        'createdTime' in after && isCount(after.createdTime) && 'id' in after && typeof after.id === 'string'
      );
    }
    default:
      return false;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** FNV-1a, 32 bits. Distinguishes listings; a collision would only mix two listings of the same caller. */
function fingerprint(query: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < query.length; at++) hash = Math.imul(hash ^ query.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
