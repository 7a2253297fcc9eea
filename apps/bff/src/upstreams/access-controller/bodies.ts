/** Bodies for creating and updating records, which have the same form for every kind of record. */
import type { CollectionName, Endpoints } from '@gatehouse/api-types/console/endpoints';
import { defaultSessionMaxSeconds, unlimitedConnections } from '@gatehouse/api-types/console/target-values';
import type { BodyOf } from '@gatehouse/api-types/contract';
import { isJsonObject } from '@gatehouse/service-kit/parse-json';

/**
 * The bodies of a kind whose fields are named alike at the controller and in the contract: `plainBodies<'hostSets'>()`.
 * @param fixed fields with the same value in every new record
 */
export function plainBodies<Name extends CollectionName>(fixed: object = {}) {
  return {
    creation: (fields: BodyOf<Endpoints[Name]['create']>) => ({ body: { ...fixed, ...newOf(fields) } }),
    change: (changes: BodyOf<Endpoints[Name]['update']>, version: number) => ({
      body: patchOf(changes, version),
    }),
  };
}

/** The body of a PATCH: only the changed fields, with null for fields that are cleared. */
export function patchOf(changes: object, version: number): Record<string, unknown> {
  return { version, ...mapLeaves(changes, (value) => (value === '' ? null : value)) };
}

/** The body of a POST: only fields with a value, so that the controller applies its defaults to the others. */
export function newOf(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]: [string, unknown]) => [name, isJsonObject(value) ? newOf(value) : value] as const)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .filter(([, value]) => !isJsonObject(value) || Object.keys(value).length > 0),
  );
}

/** Whether a stored record has every value that was sent. Leave secrets out: the controller never returns them. */
export function hasSent(stored: object, sent: object): boolean {
  const has = new Map<string, unknown>(Object.entries(stored));
  return Object.entries(sent).every(([name, value]: [string, unknown]) => {
    if (value === undefined) return true;
    const there = has.get(name);
    return isJsonObject(value) ? isJsonObject(there) && hasSent(there, value) : sameField(name, there, value);
  });
}

function sameField(name: string, stored: unknown, sent: unknown): boolean {
  switch (name) {
    case 'session_max_seconds':
      return stored === (sent ?? defaultSessionMaxSeconds);
    case 'session_connection_limit':
      return stored === (sent ?? unlimitedConnections);
    case 'address':
      return (
        typeof stored === 'string' &&
        typeof sent === 'string' &&
        canonicalAddress(stored) === canonicalAddress(sent)
      );
    case 'default_port':
      // A cleared port becomes the target type's own port.
      return sent === null || stored === sent;
    default:
      return (stored ?? '') === (sent ?? '') || (stored === undefined && sent === false);
  }
}

/** Normalizes an IPv6 address, which has several spellings: a controller may store a different one than was sent. */
function canonicalAddress(address: string): string {
  const url = `http://[${address}]`;
  return address.includes(':') && URL.canParse(url) ? new URL(url).hostname : address;
}

function mapLeaves(fields: object, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]: [string, unknown]) => [
        name,
        isJsonObject(value) ? mapLeaves(value, map) : map(value),
      ]),
  );
}
