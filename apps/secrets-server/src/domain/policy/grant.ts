import { capabilityBits } from './capability.ts';
import type { ParameterRules, ParameterValue, PathRule } from './policy.ts';

/** The merged rules of all policies for one path pattern. */
export interface Grant {
  /** A set of `capabilityBits`. */
  readonly capabilities: number;
  readonly allowed: ParameterRules | undefined;
  readonly denied: ParameterRules | undefined;
  readonly required: ReadonlySet<string> | undefined;
  /** In seconds; 0 for no minimum. */
  readonly minWrappingTtl: number;
  /** In seconds; 0 for no maximum. */
  readonly maxWrappingTtl: number;
  /** Whether the grant restricts parameters; if not, they need not be checked. */
  readonly checksParameters: boolean;
}

/** A grant that rules are still merged into. */
export interface OpenGrant extends Grant {
  capabilities: number;
  allowed: Map<string, ParameterValue[]> | undefined;
  denied: Map<string, ParameterValue[]> | undefined;
  required: Set<string> | undefined;
  minWrappingTtl: number;
  maxWrappingTtl: number;
  checksParameters: boolean;
}

/** Returns a grant without any capability. */
export function emptyGrant(): OpenGrant {
  return {
    capabilities: 0,
    allowed: undefined,
    denied: undefined,
    required: undefined,
    minWrappingTtl: 0,
    maxWrappingTtl: 0,
    checksParameters: false,
  };
}

/** Merges a rule into the grant of its pattern, which changes: a copy for each rule would take quadratic time. */
export function mergeRule(grant: OpenGrant, rule: PathRule): void {
  if ((grant.capabilities | rule.capabilities) & capabilityBits.deny) {
    Object.assign(grant, { ...emptyGrant(), capabilities: capabilityBits.deny });
    return;
  }
  grant.capabilities |= rule.capabilities;
  grant.allowed = mergeParameters(grant.allowed, rule.allowed);
  grant.denied = mergeParameters(grant.denied, rule.denied);
  for (const name of rule.required) (grant.required ??= new Set()).add(name);
  // The shorter of the two, so that an answer can be wrapped for as short a time as any policy requires.
  grant.minWrappingTtl = shorter(grant.minWrappingTtl, rule.minWrappingTtl);
  grant.maxWrappingTtl = shorter(grant.maxWrappingTtl, rule.maxWrappingTtl);
  grant.checksParameters =
    grant.allowed !== undefined || grant.denied !== undefined || grant.required !== undefined;
}

function shorter(one: number, other: number): number {
  if (one === 0) return other;
  return other === 0 ? one : Math.min(one, other);
}

function mergeParameters(
  merged: Map<string, ParameterValue[]> | undefined,
  rules: ParameterRules | undefined,
): Map<string, ParameterValue[]> | undefined {
  if (rules === undefined || rules.size === 0) return merged;
  const all = merged ?? new Map<string, ParameterValue[]>();
  for (const [name, values] of rules) {
    const known = all.get(name);
    if (known === undefined || values.length === 0) all.set(name, [...values]);
    // An empty list means any value.
    else if (known.length > 0) for (const value of values) known.push(value);
  }
  return all;
}
