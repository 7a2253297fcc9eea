/** The same thing as a command, a request and a Terraform block: quoting and layout, whatever the resource. */

export interface CodeForms {
  /** A command of the service's own client; absent for what it cannot do. */
  readonly cli?: string;
  /** The request to the service, for curl; the token is a variable. */
  readonly http: string;
  /** A block of the service's Terraform provider; absent for what is done once and not kept. */
  readonly terraform?: string;
}

/** How something is created without the console, and what its commands need around them. */
export interface NewCode {
  readonly forms: CodeForms;
  readonly setUp: string;
}

/** What the commands and requests of each service need around them. */
export const codeSetUp = {
  access: "Set BOUNDARY_ADDR to the access controller's address and BOUNDARY_TOKEN to your token.",
  secrets: "Set VAULT_ADDR to the secrets server's address and VAULT_TOKEN to your token.",
  boxes: 'Set VAGRANT_CLOUD_TOKEN to your token.',
} as const;

/** What is said below the code of an edit. */
export function changesNote(hasChanges: boolean, setUp: string): string {
  return hasChanges
    ? `The same changes on the command line. ${setUp}`
    : 'Change a field to see the same change on the command line.';
}

/** What is said below the code of something that is set as a whole, whether or not it changed. */
export function setNote(setUp: string): string {
  return `The same settings on the command line. ${setUp}`;
}

/**
 * A word of a shell (bash, zsh): bare where nothing in it means anything to one, `=ls` being a path to zsh, else in single
 * quotes. A terminal takes control characters that are pasted for keys, and Ctrl+C would make the rest a command of its own.
 */
export function shellWord(text: string): string {
  if (/^(?!=)[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  if (!/[^\P{Cc}\n]/u.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const bytes = (control: string): string =>
    [...new TextEncoder().encode(control)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  return `$'${text.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll(/[^\P{Cc}\n]/gu, bytes)}'`;
}

/** The first argument of a command that is no flag: text that begins with a dash would be taken for one. */
export function argument(text: string): string {
  return `${text.startsWith('-') ? '-- ' : ''}${shellWord(text)}`;
}

/** A command over several lines: the first holds `head`, each other one part. */
export function shellCommand(head: string, parts: readonly string[]): string {
  return [head, ...parts.map((part) => `  ${part}`)].join(' \\\n');
}

export interface HttpRequest {
  readonly method: string;
  /** Variable of the environment that holds the service's address. */
  readonly addressVariable: string;
  readonly tokenVariable: string;
  readonly path: string;
  /** None is sent without it. */
  readonly body?: unknown;
  /** JSON without it. */
  readonly contentType?: string;
}

/** The request as a curl command; address and token are variables that a person fills in. */
export function curlCommand({
  method,
  addressVariable,
  tokenVariable,
  path,
  body,
  contentType = 'application/json',
}: HttpRequest): string {
  return shellCommand('curl --fail-with-body', [
    // Between double quotes an exclamation mark would be a command of the shell's history.
    `--request ${method} "$${addressVariable}${path.replaceAll('!', '%21')}"`,
    `--header "Authorization: Bearer $${tokenVariable}"`,
    ...(body === undefined
      ? []
      : [`--header 'Content-Type: ${contentType}'`, `--data ${shellWord(JSON.stringify(body, null, 2))}`]),
  ]);
}

export type HclValue = string | number | boolean | null | readonly string[] | HclExpression;

/** A reference or call, written as it is. */
export interface HclExpression {
  readonly expression: string;
}

/** A block of HCL with its arguments aligned, as `terraform fmt` does. Values that are null are left out. */
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

/** A quoted string of HCL, in which nothing is a template. */
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

/** A name that Terraform accepts for a resource, made of a person's name for it. */
export function hclName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return /^[a-z_]/.test(plain) ? plain : `_${plain}`;
}
