/**
 * The request of a recorded change, stored encrypted until its outcome is known, to find out later whether it was made.
 */
import { entriesOf, JsonTextError } from '@gatehouse/api-types/console/json-text';
import { hasSecret, secretMembers, withoutSecrets } from '@gatehouse/api-types/console/secret-members';
import { dataLimitBytes, dataValuesLimit } from '@gatehouse/api-types/console/secret-names';
import { isJsonObject } from '@gatehouse/service-kit/parse-json';
import type { TokenSeal } from '#session/token-seal.ts';

export interface Wish {
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  /** Whether the request contained a secret. */
  readonly secret: boolean;
  /** Without secrets. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The revision that the user saw; null for unguarded operations. */
  readonly revision: string | null;
}

/** Encrypts a request for its place in the database. */
export function sealWish(seal: TokenSeal, id: string, wish: Omit<Wish, 'secret'>): string {
  return seal.seal(
    JSON.stringify({ ...wish, secret: hasSecret(wish.body), body: withoutSecrets(wish.body) }),
    placeOf(id),
  );
}

/** @throws SealBroken if the text was changed or belongs to another intent */
export function openWish(seal: TokenSeal, id: string, sealed: string): Wish {
  return JSON.parse(seal.open(sealed, placeOf(id))) as Wish;
}

function placeOf(id: string) {
  return { sessionId: id, environment: '', service: 'audit' };
}

/**
 * The dotted paths of the fields that a body sets. A secret is listed by its path, never with its value. Data for the
 * secrets server is text, from which the names are read.
 */
export function pathsOf(body: unknown, start = ''): string[] {
  if (!isJsonObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    const path = start === '' ? name : `${start}.${name}`;
    if (path === 'data' && typeof value === 'string') return fieldPaths(namesIn(value));
    return isJsonObject(value) && !secretMembers.has(name) ? pathsOf(value, path) : [path];
  });
}

/** How the trail names a secret's fields. */
export function fieldPaths(names: readonly string[]): string[] {
  return names.length === 0 ? ['data'] : names.map((name) => `data.${name}`);
}

/** The names in the text of a secret's data, in order; none if the text isn't such data or is too large. */
export function namesIn(data: string): string[] {
  if (data.length > dataLimitBytes) return [];
  try {
    return [...new Set(entriesOf(data, dataValuesLimit).map(({ key }) => key))];
  } catch (error) {
    if (error instanceof JsonTextError) return [];
    throw error;
  }
}
