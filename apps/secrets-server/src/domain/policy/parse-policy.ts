import { parseDuration } from '../../core/duration.ts';
import { capabilityBits, isCapability } from './capability.ts';
import type { Capability } from './capability.ts';
import { parseHcl } from './hcl.ts';
import type { HclItem, HclValue } from './hcl.ts';
import { PolicyFault } from './policy-fault.ts';
import type { Position } from './policy-fault.ts';
import type { ParameterRules, ParameterValue, PathRule, Policy } from './policy.ts';
import { scan } from './scanner.ts';

/** The capabilities of `policy = "…"`, the legacy way to write them. */
const legacyLevels: Readonly<Record<string, readonly Capability[]>> = {
  deny: ['deny'],
  read: ['read', 'list'],
  write: ['create', 'read', 'update', 'delete', 'list'],
  sudo: ['create', 'read', 'update', 'delete', 'list', 'sudo'],
};

/** The maximum number of words and symbols in a policy: parsing them takes 50 ms. Rules have about 15 each. */
const mostSymbols = 50_000;

/**
 * Parses a policy's text, in HCL or JSON. Paths with a template (`{{identity.…}}`) grant nothing, because this server
 * has no identities to substitute. Source: https://developer.hashicorp.com/vault/docs/concepts/policies
 * @throws PolicyFault
 */
export function parsePolicy(name: string, text: string): Policy {
  const rules: PathRule[] = [];
  const tokens = scan(text, mostSymbols);
  for (const item of parseHcl(tokens)) {
    const key = item.keys[0];
    if (key === undefined) continue;
    if (key.text === 'name') continue;
    if (key.text !== 'path') throw new PolicyFault(key.at, `invalid key ${JSON.stringify(key.text)}`);
    for (const block of pathBlocks(item)) {
      const rule = readRule(block);
      if (!rule.pattern.includes('{{')) rules.push(rule);
    }
  }
  return { name, rules, symbols: tokens.length - 1 };
}

interface PathBlock {
  readonly pattern: string;
  readonly at: Position;
  readonly items: readonly HclItem[];
}

/** `path "x" { … }`, `path { "x" = { … } }` and their JSON forms, in which each level may be a list of objects. */
function pathBlocks(item: HclItem): PathBlock[] {
  const label = item.keys[1];
  if (item.keys.length > 2) {
    const extra = item.keys[2];
    throw new PolicyFault(extra?.at ?? item.value.at, 'a path has one label');
  }
  if (label !== undefined) {
    return objectsOf(item.value).map((object) => ({
      pattern: label.text,
      at: label.at,
      items: object.items,
    }));
  }
  return objectsOf(item.value).flatMap(({ items }) =>
    items.flatMap((inner) => {
      const key = inner.keys[0];
      if (key === undefined || inner.keys.length > 1)
        throw new PolicyFault(inner.value.at, 'expected a path');
      return objectsOf(inner.value).map((object) => ({ pattern: key.text, at: key.at, items: object.items }));
    }),
  );
}

function objectsOf(value: HclValue): Extract<HclValue, { kind: 'object' }>[] {
  if (value.kind === 'object') return [value];
  if (value.kind === 'list') return value.values.flatMap((each) => objectsOf(each));
  throw new PolicyFault(value.at, 'expected an object');
}

function readRule({ pattern: written, at, items }: PathBlock): PathRule {
  const pattern = written.replace(/^\/+/, '');
  if (pattern.includes('+*')) {
    throw new PolicyFault(
      at,
      `path ${JSON.stringify(written)}: invalid use of wildcards ('+*' is forbidden)`,
    );
  }
  const values = new Map<string, HclValue>();
  for (const { keys, value } of items) {
    const key = keys[0];
    if (key === undefined) continue;
    if (keys.length > 1 || !knownMembers.has(key.text)) {
      throw new PolicyFault(
        key.at,
        `path ${JSON.stringify(written)}: invalid key ${JSON.stringify(key.text)}`,
      );
    }
    if (values.has(key.text)) {
      throw new PolicyFault(key.at, `the argument ${JSON.stringify(key.text)} was already set`);
    }
    values.set(key.text, value);
  }
  const minWrappingTtl = readTtl(values.get('min_wrapping_ttl'));
  const maxWrappingTtl = readTtl(values.get('max_wrapping_ttl'));
  if (minWrappingTtl > 0 && maxWrappingTtl > 0 && maxWrappingTtl < minWrappingTtl) {
    throw new PolicyFault(
      values.get('max_wrapping_ttl')?.at ?? at,
      'max_wrapping_ttl cannot be less than min_wrapping_ttl',
    );
  }
  const allowed = readParameters(values.get('allowed_parameters'));
  const denied = readParameters(values.get('denied_parameters'));
  return {
    pattern,
    capabilities: readCapabilities(written, values.get('policy'), values.get('capabilities')),
    ...(allowed !== undefined && { allowed }),
    ...(denied !== undefined && { denied }),
    required: listOf(values.get('required_parameters')).map((value) => textOf(value).toLowerCase()),
    minWrappingTtl,
    maxWrappingTtl,
  };
}

const knownMembers: ReadonlySet<string> = new Set([
  'comment',
  'policy',
  'capabilities',
  'allowed_parameters',
  'denied_parameters',
  'required_parameters',
  'min_wrapping_ttl',
  'max_wrapping_ttl',
  'subscribe_event_types',
]);

function readCapabilities(path: string, level: HclValue | undefined, listed: HclValue | undefined): number {
  let bits = 0;
  const add = (word: Capability): void => {
    bits |= capabilityBits[word];
  };
  const words = listOf(listed);
  if (level !== undefined && textOf(level) !== '') {
    const legacy = Object.hasOwn(legacyLevels, textOf(level)) ? legacyLevels[textOf(level)] : undefined;
    if (legacy === undefined) {
      throw new PolicyFault(
        level.at,
        `path ${JSON.stringify(path)}: invalid policy ${JSON.stringify(textOf(level))}`,
      );
    }
    for (const word of legacy) add(word);
  }
  for (const value of words) {
    const word = textOf(value);
    if (!isCapability(word)) {
      throw new PolicyFault(
        value.at,
        `path ${JSON.stringify(path)}: invalid capability ${JSON.stringify(word)}`,
      );
    }
    add(word);
  }
  return (bits & capabilityBits.deny) === 0 ? bits : capabilityBits.deny;
}

function readTtl(value: HclValue | undefined): number {
  if (value === undefined) return 0;
  const seconds = value.kind === 'number' || value.kind === 'string' ? parseDuration(value.value) : undefined;
  if (seconds === undefined || !Number.isFinite(seconds) || seconds < 0)
    throw new PolicyFault(value.at, 'expected a duration, such as "30m" or a number of seconds');
  return seconds;
}

function readParameters(value: HclValue | undefined): ParameterRules | undefined {
  if (value === undefined) return undefined;
  const rules = new Map<string, readonly ParameterValue[]>();
  for (const { items } of objectsOf(value)) {
    for (const { keys, value: listed } of items) {
      const key = keys[0];
      if (key !== undefined) rules.set(key.text.toLowerCase(), listOf(listed).map(plain));
    }
  }
  return rules;
}

/** A list's values; a value that is no list is treated as a list of one. */
function listOf(value: HclValue | undefined): readonly HclValue[] {
  if (value === undefined) return [];
  return value.kind === 'list' ? value.values : [value];
}

function textOf(value: HclValue): string {
  if (value.kind !== 'string') throw new PolicyFault(value.at, 'expected a string');
  return value.value;
}

function plain(value: HclValue): ParameterValue {
  switch (value.kind) {
    case 'list':
      return value.values.map(plain);
    case 'null':
      return null;
    case 'object':
      throw new PolicyFault(value.at, 'expected a string, a number, a boolean or a list');
    default:
      return value.value;
  }
}
