/** Rewrites the block that uses a module for another version. */
import { scanModuleBlock } from '../-usage/hcl-scan.ts';
import { isArgumentName, quoted } from '../../-modules/hcl-value.ts';
import type { ContentChange } from './compare-content.ts';

export interface RewrittenUsage {
  readonly block: string;
  /** Changes made and changes left to do, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Rewrites a block: sets the constraint, removes inputs that no longer exist, and adds newly required ones. Everything
 * else stays as written.
 * @param version the new constraint
 * @param changes of the folder that the block uses
 * @param typeOf an input's type in the new version
 * @returns an error in a sentence if the block can't be read
 */
export function rewriteUsage(
  source: string,
  version: string,
  changes: readonly ContentChange[],
  typeOf: (input: string) => string,
): RewrittenUsage | string {
  const block = scanModuleBlock(source);
  if (typeof block === 'string') return block;
  const inputs = changes.filter(({ area }) => area === 'input');
  const given = new Set(block.args.map(({ name }) => name));
  const notes: string[] = [];
  let text = '';
  let at = 0;
  const copyTo = (end: number): void => {
    text += source.slice(at, end);
    at = end;
  };
  for (const { name, from, to, valueFrom, valueTo } of block.args) {
    copyTo(from);
    if (name === 'version') {
      copyTo(valueFrom);
      const value = source.slice(valueFrom, valueTo);
      // Keeps a comment behind the value.
      text += value.replace(/^"(?:\\.|[^"\\])*"/, () => quoted(version));
      at = valueTo;
    } else if (inputs.some((change) => change.name === name && change.kind === 'removed')) {
      notes.push(`${name} was removed, because the input no longer exists.`);
      at = to;
    } else if (inputs.some((change) => change.name === name && change.what === 'type changed'))
      notes.push(`${name} now has another type (${oneLine(typeOf(name))}): check its value.`);
    copyTo(Math.max(at, to));
    if (name === 'source' && !given.has('version')) text += `  version = ${quoted(version)}\n`;
  }
  copyTo(block.end);
  const required = inputs.filter(
    ({ name, what }) =>
      /^(?:new required input|now required)$/.test(what) && !given.has(name) && isArgumentName(name),
  );
  const width = Math.max(...required.map(({ name }) => name.length));
  for (const { name } of required) {
    text += `  ${name.padEnd(width)} = null # required, ${oneLine(typeOf(name))}\n`;
    notes.push(`${name} is now required. Replace null with a value.`);
  }
  for (const { area, weight, what, after } of changes)
    if (
      area === 'provider' &&
      (what === 'configuration_aliases changed' || (what === 'new provider' && weight === 'breaking'))
    )
      notes.push(`Check the providers argument. The module now requires: ${after}.`);
  copyTo(source.length);
  return { block: text, notes };
}

function oneLine(type: string): string {
  return type.trim().replaceAll(/\s+/g, ' ') || 'any type';
}
