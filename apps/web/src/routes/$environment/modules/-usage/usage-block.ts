/** Writes the block that uses a module. */
import type { ModuleInput, ProviderDependency } from '@gatehouse/api-types/console/modules';
import { hclName } from '#components/form/as-code.ts';
import { isArgumentName, quoted, textValue } from '../../-modules/hcl-value.ts';

/** A string, or a verbatim expression: a number, `true`, `var.region`. */
export interface UsageValue {
  readonly kind: 'text' | 'expression';
  readonly text: string;
}

export interface Usage {
  /** The block's label. */
  readonly label: string;
  /** The source address for clients. */
  readonly address: string;
  /** A folder within the archive; empty for the root module. */
  readonly submodule: string;
  /** A constraint; empty for any version. */
  readonly version: string;
  readonly inputs: readonly { readonly name: string; readonly value: UsageValue }[];
  /** The used folder, for the provider configurations that it accepts: `aws.dns`. Null if it could not be read. */
  readonly folder: { readonly provider_dependencies: readonly Pick<ProviderDependency, 'aliases'>[] } | null;
}

/** The block, aligned like `terraform fmt`. */
export function usageBlock({ label, address, submodule, version, inputs, folder }: Usage): string {
  const head: Argument[] = [
    { name: 'source', value: quoted(submodule === '' ? address : `${address}//${submodule}`) },
    ...(version === '' ? [] : [{ name: 'version', value: quoted(version) }]),
  ];
  const args = inputs
    .filter(({ name }) => isArgumentName(name))
    .map(({ name, value }) => ({
      name,
      value: value.kind === 'text' ? textValue(value.text) : value.text.trim(),
    }));
  const aliases = folder?.provider_dependencies.flatMap((provider) => provider.aliases) ?? [];
  // Like argument names: other text could add its author's code to the block.
  const passed = aliases
    .filter((name) => name.split('.').every(isArgumentName))
    .map((name) => ({ name, value: name }));
  const parts = [
    aligned(head),
    passed.length === 0 ? [] : ['  providers = {', ...aligned(passed).map((line) => `  ${line}`), '  }'],
    aligned(args),
  ];
  const body = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `module ${quoted(hclName(label))} {\n${body.join('\n\n')}\n}`;
}

interface Argument {
  readonly name: string;
  readonly value: string;
}

/** Aligns the values of consecutive single-line arguments. */
function aligned(args: readonly Argument[]): readonly string[] {
  const lines: string[] = [];
  let run: Argument[] = [];
  const flush = (): void => {
    const width = Math.max(...run.map(({ name }) => name.length));
    lines.push(...run.map(({ name, value }) => `  ${name.padEnd(width)} = ${value}`));
    run = [];
  };
  for (const arg of args) {
    if (!arg.value.includes('\n')) {
      run.push(arg);
      continue;
    }
    flush();
    lines.push(`  ${arg.name} = ${arg.value}`);
  }
  flush();
  return lines;
}

/** The control for an input's type. Other types are entered as expressions. */
export type InputKind = 'text' | 'number' | 'bool' | 'expression';

const kinds: ReadonlyMap<string, InputKind> = new Map([
  ['string', 'text'],
  ['number', 'number'],
  ['bool', 'bool'],
]);

/** @param type as declared, quoted in old modules */
export function inputKind(type: string): InputKind {
  return kinds.get(type.trim().replaceAll('"', '')) ?? 'expression';
}

/** What is wrong with a number; undefined if it is valid. */
export function numberProblem(text: string): string | undefined {
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text.trim())
    ? undefined
    : 'Enter a number, such as 3 or 0.5.';
}

/** A value that parses, in place of a required input that isn't entered yet. Secrets refer to a variable. */
export function placeholderOf({
  name,
  type,
  sensitive,
}: Pick<ModuleInput, 'name' | 'type' | 'sensitive'>): UsageValue {
  if (sensitive) return { kind: 'expression', text: `var.${name}` };
  const kind = inputKind(type);
  if (kind === 'text') return { kind, text: 'REPLACE_ME' };
  if (kind === 'number') return { kind: 'expression', text: '0' };
  if (kind === 'bool') return { kind: 'expression', text: 'false' };
  const [, container] = /^\s*"?(list|set|tuple|map|object)\b/.exec(type) ?? [];
  const isMap = container === 'map' || container === 'object';
  return { kind: 'expression', text: container === undefined ? 'null' : isMap ? '{}' : '[]' };
}
