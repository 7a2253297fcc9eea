import type { ContainerPolicy, FieldPolicy } from './policy.ts';
import { scalar } from './policy.ts';

/** Whether a value is an object literal, not an array, a date or another class instance. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Not compared with Object.prototype, because every realm (a frame, a test's document) has its own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether the policy's fields contain other fields. */
export function isContainer(policy: FieldPolicy): policy is ContainerPolicy {
  return policy.kind === 'record' || policy.kind === 'map' || policy.kind === 'list';
}

/** The policy of the entry `key` of a container. */
export function entryPolicy(policy: ContainerPolicy, key: string): FieldPolicy {
  if (policy.kind === 'map') return policy.values;
  if (policy.kind === 'list') return policy.item;
  const declared = Object.hasOwn(policy.fields, key) ? policy.fields[key] : undefined;
  return declared ?? policy.rest ?? scalar;
}

/**
 * A container's entries by key, in order. Undefined if the value doesn't have the policy's shape: not an object, or an
 * array with an item that is not an object or has no unique key.
 */
export function entriesOf(policy: ContainerPolicy, value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (policy.kind === 'list') return itemsByKey(policy.key, value);
  if (!isPlainObject(value)) return undefined;
  return new Map(Object.entries(value).filter(([, entry]) => entry !== undefined));
}

function itemsByKey(keyField: string, value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = new Map<string, unknown>();
  for (const item of value as readonly unknown[]) {
    const key = isPlainObject(item) && Object.hasOwn(item, keyField) ? item[keyField] : undefined;
    if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'bigint') return undefined;
    if (items.has(String(key))) return undefined;
    items.set(String(key), item);
  }
  return items;
}

/** The reverse of {@link entriesOf}. Objects have no prototype, so that every key, even `__proto__`, is data. */
export function assemble(policy: ContainerPolicy, entries: ReadonlyMap<string, unknown>): unknown {
  if (policy.kind === 'list') return [...entries.values()];
  return withoutPrototype(entries);
}

/** An object with these entries and no prototype. */
export function withoutPrototype(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  // TypeScript's library types the result of Object.create as any.
  const object = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries) object[key] = value;
  return object;
}

/** A copy down to the policy's leaves, whose objects have no prototype. The leaves are the same values. */
export function copyOf(policy: FieldPolicy, value: unknown): unknown {
  const entries = isContainer(policy) ? entriesOf(policy, value) : undefined;
  if (!isContainer(policy) || entries === undefined) return value;
  const copies = new Map<string, unknown>();
  for (const [key, entry] of entries) copies.set(key, copyOf(entryPolicy(policy, key), entry));
  return assemble(policy, copies);
}
