/** Quoting and layout of equivalent code, for all resources: a command, a request and a Terraform block. */

export interface CodeForms {
  /** A command of the service's client; absent if the client can't do it. */
  readonly cli?: string;
  /** The request to the service with curl; the token is a variable. */
  readonly http: string;
  /** A block for the service's Terraform provider; absent for one-off actions. */
  readonly terraform?: string;
}

/** Code that creates a record without the console, and the setup that it needs. */
export interface NewCode {
  readonly forms: CodeForms;
  readonly setUp: string;
}

/** The setup that each service's commands and requests need. */
export const codeSetUp = {
  access: "Set BOUNDARY_ADDR to the access controller's address and BOUNDARY_TOKEN to your token.",
  secrets: "Set VAULT_ADDR to the secrets server's address and VAULT_TOKEN to your token.",
  boxes: 'Set VAGRANT_CLOUD_TOKEN to your token.',
} as const;

/** The note below the code of an edit. */
export function changesNote(hasChanges: boolean, setUp: string): string {
  return hasChanges
    ? `The same changes on the command line. ${setUp}`
    : 'Change a field to see the same change on the command line.';
}

/** The note below the code of settings that are replaced as a whole, changed or not. */
export function setNote(setUp: string): string {
  return `The same settings on the command line. ${setUp}`;
}

/**
 * A shell word (bash, zsh): unquoted if it has no special characters (zsh expands `=ls`), else in single
 * quotes. Control characters are escaped, because a terminal treats pasted ones as keys, and Ctrl+C would
 * start another command.
 */
export function shellWord(text: string): string {
  if (/^(?!=)[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  if (!/[^\P{Cc}\n]/u.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const bytes = (control: string): string =>
    [...new TextEncoder().encode(control)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  return `$'${text.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll(/[^\P{Cc}\n]/gu, bytes)}'`;
}

/** A command's first positional argument. Text with a leading dash would otherwise be a flag. */
export function argument(text: string): string {
  return `${text.startsWith('-') ? '-- ' : ''}${shellWord(text)}`;
}

/** A command on several lines: the first holds `head`, each other line one part. */
export function shellCommand(head: string, parts: readonly string[]): string {
  return [head, ...parts.map((part) => `  ${part}`)].join(' \\\n');
}

export interface HttpRequest {
  readonly method: string;
  /** Environment variable with the service's address. */
  readonly addressVariable: string;
  readonly tokenVariable: string;
  readonly path: string;
  /** Omitted to send none. */
  readonly body?: unknown;
  /** JSON by default. */
  readonly contentType?: string;
}

/** The request as a curl command, with variables for the address and the token. */
export function curlCommand({
  method,
  addressVariable,
  tokenVariable,
  path,
  body,
  contentType = 'application/json',
}: HttpRequest): string {
  return shellCommand('curl --fail-with-body', [
    // Between double quotes, an exclamation mark would expand the shell's history.
    `--request ${method} "$${addressVariable}${path.replaceAll('!', '%21')}"`,
    `--header "Authorization: Bearer $${tokenVariable}"`,
    ...(body === undefined
      ? []
      : [`--header 'Content-Type: ${contentType}'`, `--data ${shellWord(JSON.stringify(body, null, 2))}`]),
  ]);
}

export type HclValue = string | number | boolean | null | readonly string[] | HclExpression;

/** A reference or call, inserted verbatim. */
export interface HclExpression {
  readonly expression: string;
}

/** An HCL block with aligned arguments, like `terraform fmt`. Null values are omitted. */
export function hclBlock(
  type: string,
  labels: readonly string[],
  args: Readonly<Record<string, HclValue>>,
): string {
  const present = Object.entries(args).filter(([, value]) => value !== null);
  const width = Math.max(...present.map(([name]) => name.length));
  const lines = present.map(([name, value]) => `  ${name.padEnd(width)} = ${hclValue(value)}`);
  return [`${[type, ...labels.map((label) => hclString(label))].join(' ')} {`, ...lines, '}'].join('\n');
}

function hclValue(value: HclValue): string {
  if (typeof value === 'string') return hclString(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return 'expression' in value ? value.expression : `[${value.map((item) => hclString(item)).join(', ')}]`;
}

/** A quoted HCL string without templates. */
export function hclString(text: string): string {
  const escaped = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll(/[$%]\{/g, (start) => `${start.charAt(0)}${start}`);
  return `"${escaped}"`;
}

/** A valid Terraform resource name, derived from a record's name. */
export function hclName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return /^[a-z_]/.test(plain) ? plain : `_${plain}`;
}
