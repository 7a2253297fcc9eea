/**
 * Filter expressions of the controller (go-bexpr) for arbitrary text. Between backticks every character is literal;
 * text that contains a backtick becomes an RE2 pattern.
 */

/** Matches records with a field that equals a text. @param field such as `name` or `attributes/address` */
export function fieldIs(field: string, value: string): string {
  return value.includes('`')
    ? `"/item/${field}" matches \`^${literalOf(value)}$\``
    : `"/item/${field}" == \`${value}\``;
}

/** Matches records with one of the fields containing a text, ignoring case. */
export function anyHolds(fields: readonly string[], value: string): string {
  return fields.map((field) => `"/item/${field}" matches \`(?i)${literalOf(value)}\``).join(' or ');
}

/** Matches records with a field that starts with a text. */
export function fieldStarts(field: string, value: string): string {
  return `"/item/${field}" matches \`^${literalOf(value)}\``;
}

/** A text as an RE2 pattern between backticks. */
function literalOf(value: string): string {
  return value.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('`', String.raw`\x60`);
}
