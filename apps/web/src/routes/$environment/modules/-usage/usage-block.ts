/** The block that uses a module. */
import type { ProviderDependency } from '@gatehouse/api-types/console/modules';
import { hclName } from '#components/form/as-code.ts';
import { isArgumentName, quoted, textValue } from '../../-modules/hcl-value.ts';

/** A text, or anything else as it is written: a number, `true`, `var.region`. */
export interface UsageValue {
  readonly kind: 'text' | 'expression';
  readonly text: string;
}

export interface Usage {
  /** What the block is called. */
  readonly label: string;
  /** As clients find the module. */
  readonly address: string;
  /** A folder within the archive; empty for the module itself. */
  readonly submodule: string;
  /** A constraint; empty for any version. */
  readonly version: string;
  readonly inputs: readonly { readonly name: string; readonly value: UsageValue }[];
  /** What is used, for the configurations of providers that it takes: `aws.dns`. Null where nobody could read it. */
  readonly folder: { readonly provider_dependencies: readonly Pick<ProviderDependency, 'aliases'>[] } | null;
}

/** The block with its arguments aligned as `terraform fmt` does. */
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
  // As with names of arguments: any other text would be code of its author's in the block.
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

/** Arguments of one line that follow each other have their values below each other. */
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

/** A value of a type that is edited in a control of its own; anything else is written as an expression. */
export type InputKind = 'text' | 'number' | 'bool' | 'expression';

const kinds: ReadonlyMap<string, InputKind> = new Map([
  ['string', 'text'],
  ['number', 'number'],
  ['bool', 'bool'],
]);

/** @param type as the module writes it, older ones in quotes */
export function inputKind(type: string): InputKind {
  return kinds.get(type.trim().replaceAll('"', '')) ?? 'expression';
}

/** What is wrong with a number; undefined where it is one. */
export function numberProblem(text: string): string | undefined {
  return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text.trim())
    ? undefined
    : 'Enter a number, such as 3 or 0.5.';
}
