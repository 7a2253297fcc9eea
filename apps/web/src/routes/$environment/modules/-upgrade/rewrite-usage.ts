/** The block that uses a module, as it has to be for another version. */
import { scanModuleBlock } from '../-usage/hcl-scan.ts';
import { isArgumentName, quoted } from '../../-modules/hcl-value.ts';
import type { ContentChange } from './compare-content.ts';

export interface RewrittenUsage {
  readonly block: string;
  /** What was done, and what is left to do, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Rewrites a block: the constraint is the new one, inputs that are gone are left out, those that are required now are added.
 * What else it says stays as it is written.
 * @param version the constraint that is to be there
 * @param changes of the folder that the block uses
 * @param typeOf the type of an input in the new version
 * @returns what is wrong with the block, in a sentence, where it cannot be read
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
      // What follows the text, a comment, stays.
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
      (what === 'accepts different configurations' || (what === 'new provider' && weight === 'breaking'))
    )
      notes.push(`Check providers: the module now requires ${after}.`);
  copyTo(source.length);
  return { block: text, notes };
}

function oneLine(type: string): string {
  return type.trim().replaceAll(/\s+/g, ' ') || 'any type';
}
