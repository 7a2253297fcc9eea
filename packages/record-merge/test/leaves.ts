import { absent } from '../src/absent.ts';
import type { FieldPolicy } from '../src/policy.ts';
import { scalar } from '../src/policy.ts';

/** A value at the end of a path: a complete set, text or scalar; for a container only its presence. */
export interface Leaf {
  readonly path: readonly string[];
  readonly kind: FieldPolicy['kind'];
  readonly value: unknown;
}

/**
 * All leaves of a value by path. Uses its own traversal rather than the merge's, so that it doesn't repeat the merge's
 * mistakes.
 */
export function leavesOf(
  policy: FieldPolicy,
  value: unknown,
  path: readonly string[] = [],
): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const add = (kind: FieldPolicy['kind'], leaf: unknown) =>
    leaves.set(JSON.stringify(path), { path, kind, value: leaf });
  const descend = (key: string, below: FieldPolicy, entry: unknown) => {
    for (const [id, leaf] of leavesOf(below, entry, [...path, key])) leaves.set(id, leaf);
  };
  if (value === absent || value === undefined) return leaves;
  if (policy.kind === 'list' && Array.isArray(value)) {
    const keys = value.map((item: unknown) => (isObject(item) ? String(item[policy.key]) : undefined));
    if (keys.includes(undefined) || new Set(keys).size < keys.length) return add('scalar', value);
    add('list', 'container');
    value.forEach((item: unknown, index) => descend(keys[index] ?? '', policy.item, item));
  } else if (policy.kind === 'map' && isObject(value)) {
    add('map', 'container');
    for (const [key, entry] of Object.entries(value)) descend(key, policy.values, entry);
  } else if (policy.kind === 'record' && isObject(value)) {
    add('record', 'container');
    const declared = new Map(Object.entries(policy.fields));
    for (const [key, entry] of Object.entries(value))
      descend(key, declared.get(key) ?? policy.rest ?? scalar, entry);
  } else {
    add(policy.kind, value);
  }
  return leaves;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
