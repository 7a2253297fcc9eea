/**
 * A secret is written and never read: beside it its HMAC, which nobody edits, tells whether it is the same as before.
 * `token` has the twin `token_hmac`. Names that people give, such as those of a secret's fields, have no twins.
 */
import type { FieldPolicy } from '@gatehouse/record-merge/policy';

const ending = '_hmac';

/** The HMAC of a secret among the fields of a record; undefined where there is none. */
export function twinOf(field: string, fields: readonly string[]): string | undefined {
  return fields.find((name) => name === field + ending);
}

/** The secret among the fields of a record that an HMAC tells of; undefined for any other field. */
export function secretOf(field: string, fields: readonly string[]): string | undefined {
  return fields.find((name) => name + ending === field);
}

/** The secret that the HMAC at a path tells of, by its path; undefined for any other field. */
export function secretAt(policy: FieldPolicy, path: readonly string[]): readonly string[] | undefined {
  const [key, ...rest] = path;
  if (key === undefined || policy.kind !== 'record') return undefined;
  const inner = Object.hasOwn(policy.fields, key) ? policy.fields[key] : undefined;
  if (rest.length > 0) {
    const found = inner && secretAt(inner, rest);
    return found && [key, ...found];
  }
  const secret = secretOf(key, Object.keys(policy.fields));
  return secret === undefined ? undefined : [secret];
}
