/**
 * Filter expressions of the controller (go-bexpr) around text that may hold anything: between backticks every character
 * stands for itself, and one that holds a backtick is written as an expression of RE2.
 */

/** Records of which a field is exactly a text. @param field such as `name`, or `attributes/address` */
export function fieldIs(field: string, value: string): string {
  return value.includes('`')
    ? `"/item/${field}" matches ${pattern(value, { whole: true })}`
    : `"/item/${field}" == \`${value}\``;
}

/** Records of which one of the fields holds a text, in any case. */
export function anyHolds(fields: readonly string[], value: string): string {
  return fields.map((field) => `"/item/${field}" matches ${pattern(value, { whole: false })}`).join(' or ');
}

function pattern(value: string, { whole }: { readonly whole: boolean }): string {
  const literal = value.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll('`', String.raw`\x60`);
  return whole ? `\`^${literal}$\`` : `\`(?i)${literal}\``;
}
