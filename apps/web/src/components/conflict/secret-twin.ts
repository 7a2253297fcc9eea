/**
 * A secret is written and never read: beside it its HMAC, which nobody edits, tells whether it is the same as before.
 * `token` has the twin `token_hmac`.
 */
const ending = '_hmac';

/** The HMAC of a secret among the fields of a record; undefined where there is none. */
export function twinOf(field: string, fields: readonly string[]): string | undefined {
  return fields.find((name) => name === field + ending);
}

/** The secret that an HMAC tells of, by their paths; undefined for any other field. */
export function secretOf(path: readonly string[]): readonly string[] | undefined {
  const name = path.at(-1);
  return name?.endsWith(ending) === true ? [...path.slice(0, -1), name.slice(0, -ending.length)] : undefined;
}
