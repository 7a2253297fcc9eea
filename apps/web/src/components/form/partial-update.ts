import { diffRecords } from '@gatehouse/record-merge/diff';
import type { FieldPolicy, RecordPolicy } from '@gatehouse/record-merge/policy';

/**
 * The body of a partial update: only the changed fields. A nested record contains its changed fields; a set,
 * map, list or other field is sent whole. A removed field is `null`, which clears it.
 */
export function partialUpdate<T extends object>(policy: RecordPolicy, before: T, after: T): Partial<T> {
  const update: Record<string, unknown> = {};
  for (const { path } of diffRecords(policy, before, after)) put(policy, update, after, path);
  // Contains only fields of `after`, or null for those that it lacks.
  return update as Partial<T>;
}

function put(
  policy: FieldPolicy,
  update: Record<string, unknown>,
  after: unknown,
  path: readonly string[],
): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  const value = isObject(after) && Object.hasOwn(after, key) ? after[key] : null;
  const below =
    policy.kind === 'record' && Object.hasOwn(policy.fields, key) ? policy.fields[key] : undefined;
  if (rest.length === 0 || below?.kind !== 'record' || !isObject(value)) {
    update[key] = value ?? null;
    return;
  }
  const known = Object.hasOwn(update, key) ? update[key] : undefined;
  const nested = isObject(known) ? known : {};
  update[key] = nested;
  put(below, nested, value, rest);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
