import { entriesOf, entryPolicy, isContainer, isPlainObject } from './container.ts';
import { documentOf } from './policy-document.ts';
import type { FieldPolicy } from './policy.ts';
import { stringsOf } from './set-merge.ts';

/**
 * Whether two values are the same JSON. Ignores key order and prototypes; a property with the value `undefined` is
 * absent, `NaN` equals itself, and a bigint never equals a number. Class instances only equal themselves.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    const other: readonly unknown[] = b;
    return a.length === other.length && a.every((item, index) => deepEqual(item, other[index]));
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = definedKeys(a);
  return (
    keys.length === definedKeys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key]))
  );
}

function definedKeys(object: Record<string, unknown>): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}

/** Whether two values, or `absent`, are equal under a policy, which ignores the order of sets and lists. */
export function sameValue(policy: FieldPolicy, a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (policy.kind === 'set') {
    const [left, right] = [stringsOf(a), stringsOf(b)];
    return left && right ? left.size === right.size && left.isSubsetOf(right) : deepEqual(a, b);
  }
  if (policy.kind === 'statements') return sameDocuments(a, b);
  if (!isContainer(policy)) return deepEqual(a, b);
  const [left, right] = [entriesOf(policy, a), entriesOf(policy, b)];
  if (!left || !right) return deepEqual(a, b);
  if (left.size !== right.size) return false;
  for (const [key, entry] of left) {
    if (!right.has(key) || !sameValue(entryPolicy(policy, key), entry, right.get(key))) return false;
  }
  return true;
}

/** Ignores space and the order of members if both texts can be parsed. */
function sameDocuments(a: unknown, b: unknown): boolean {
  const [left, right] = [documentOf(a), documentOf(b)];
  if (!left || !right) return deepEqual(a, b);
  return (
    left.form === right.form &&
    deepEqual(Object.fromEntries(left.members), Object.fromEntries(right.members)) &&
    deepEqual(left.statements, right.statements)
  );
}
