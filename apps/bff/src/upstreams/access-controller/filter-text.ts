/**
 * Filter expressions of the controller (go-bexpr) for arbitrary text. Between backticks every character is literal;
 * text that contains a backtick becomes an RE2 pattern.
 */

/** Matches records with a field that equals a text. @param field such as `name` or `attributes/address` */
export function fieldIs(field: string, value: string): string {
  return value.includes('`')
    ? `"/item/${field}" matches ${pattern(value, { whole: true })}`
    : `"/item/${field}" == \`${value}\``;
}

/** Matches records with one of the fields containing a text, ignoring case. */
export function anyHolds(fields: readonly string[], value: string): string {
  return fields.map((field) => `"/item/${field}" matches ${pattern(value, { whole: false })}`).join(' or ');
}

function pattern(value: string, { whole }: { readonly whole: boolean }): string {
  const literal = value.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('`', String.raw`\x60`);
  return whole ? `\`^${literal}$\`` : `\`(?i)${literal}\``;
}
