import { isDeepStrictEqual } from 'node:util';
import type { Grant } from './grant.ts';
import type { ParameterValue } from './policy.ts';

/** Whether a grant permits a body: required members are present, none is denied, and all are allowed. */
export function parametersAllowed(grant: Grant, body: Readonly<Record<string, unknown>>): boolean {
  const given = Object.entries(body).map(([name, value]) => [name.toLowerCase(), value] as const);
  // As in Vault, only the exact name counts, which is the one that engines read.
  if (!grant.required.every((name) => Object.hasOwn(body, name))) return false;
  if (given.length === 0) return true;

  const { denied, allowed } = grant;
  if (denied?.has('*') === true) return false;
  for (const [name, value] of given) {
    const values = denied?.get(name);
    if (values !== undefined && isAmong(value, values)) return false;
  }

  if (allowed === undefined || allowed.size === 0) return true;
  const anyName = allowed.has('*');
  if (anyName && allowed.size === 1) return true;
  return given.every(([name, value]) => {
    const values = allowed.get(name);
    return values === undefined ? anyName : isAmong(value, values);
  });
}

/** An empty list allows any value. */
function isAmong(value: unknown, values: readonly ParameterValue[]): boolean {
  return values.length === 0 || values.some((each) => isMeant(value, each));
}

function isMeant(value: unknown, meant: ParameterValue): boolean {
  if (typeof value !== 'string' || typeof meant !== 'string') return isDeepStrictEqual(value, meant);
  const rest = meant.slice(meant.startsWith('*') ? 1 : 0, meant.endsWith('*') ? -1 : undefined);
  if (meant === '*') return true;
  if (meant.startsWith('*') && meant.endsWith('*')) return value.includes(rest);
  if (meant.startsWith('*')) return value.endsWith(rest);
  if (meant.endsWith('*')) return value.startsWith(rest);
  return value === meant;
}
