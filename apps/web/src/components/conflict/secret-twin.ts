/**
 * Secrets can be written but not read. A read-only HMAC beside each shows whether it has changed: `token` has
 * the twin `token_hmac`. Names that users choose, such as those of a secret's fields, have no twins.
 */
import type { FieldPolicy } from '@gatehouse/record-merge/policy';

const ending = '_hmac';

/** The HMAC field of a secret among a record's fields; undefined if it has none. */
export function twinOf(field: string, fields: readonly string[]): string | undefined {
  return fields.find((name) => name === field + ending);
}

/** The secret that belongs to an HMAC field; undefined for other fields. */
export function secretOf(field: string, fields: readonly string[]): string | undefined {
  return fields.find((name) => name + ending === field);
}

/** The path of the secret that belongs to the HMAC at a path; undefined for other fields. */
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
