/** What an audited call asked for, kept sealed until its outcome is known: to find out afterwards whether it was done. */
import { entriesOf, JsonTextError } from '@gatehouse/api-types/console/json-text';
import { hasSecret, secretMembers, withoutSecrets } from '@gatehouse/api-types/console/secret-members';
import { dataValuesLimit } from '@gatehouse/api-types/console/secret-names';
import { isJsonObject } from '@gatehouse/service-kit/parse-json';
import type { TokenSeal } from '#session/token-seal.ts';

export interface Wish {
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  /** Whether a secret was among what was sent. */
  readonly secret: boolean;
  /** Without secrets. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The revision that the person saw; null of what is not guarded. */
  readonly revision: string | null;
}

/** Seals a wish for one place of storage. */
export function sealWish(seal: TokenSeal, id: string, wish: Omit<Wish, 'secret'>): string {
  return seal.seal(
    JSON.stringify({ ...wish, secret: hasSecret(wish.body), body: withoutSecrets(wish.body) }),
    placeOf(id),
  );
}

/** @throws SealBroken when the text was changed or belongs to another intent */
export function openWish(seal: TokenSeal, id: string, sealed: string): Wish {
  return JSON.parse(seal.open(sealed, placeOf(id))) as Wish;
}

function placeOf(id: string) {
  return { sessionId: id, environment: '', service: 'audit' };
}

/**
 * The dotted paths of the fields that a body sets; of a secret its path, never its value. The data of a secret of the
 * secrets server is text: its names are read from it.
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

/** How fields of a secret are called in the trail. */
export function fieldPaths(names: readonly string[]): string[] {
  return names.length === 0 ? ['data'] : names.map((name) => `data.${name}`);
}

/** The names in the text of a secret's data, in their order; none where it is no such text, or has too many values. */
export function namesIn(data: string): string[] {
  try {
    return [...new Set(entriesOf(data, dataValuesLimit).map(({ key }) => key))];
  } catch (error) {
    if (error instanceof JsonTextError) return [];
    throw error;
  }
}
