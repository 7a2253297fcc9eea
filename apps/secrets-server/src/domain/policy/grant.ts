import { capabilityBits } from './capability.ts';
import type { ParameterRules, ParameterValue, PathRule } from './policy.ts';

/** The merged rules of all policies for one path pattern. */
export interface Grant {
  /** A set of `capabilityBits`. */
  readonly capabilities: number;
  readonly allowed: ParameterRules | undefined;
  readonly denied: ParameterRules | undefined;
  readonly required: readonly string[];
  /** In seconds; 0 for no minimum. */
  readonly minWrappingTtl: number;
  /** In seconds; 0 for no maximum. */
  readonly maxWrappingTtl: number;
  /** Whether the grant restricts parameters; if not, they need not be checked. */
  readonly checksParameters: boolean;
}

const denial: Grant = {
  capabilities: capabilityBits.deny,
  allowed: undefined,
  denied: undefined,
  required: [],
  minWrappingTtl: 0,
  maxWrappingTtl: 0,
  checksParameters: false,
};

/** Merges a rule into the grant of its pattern. */
export function mergeGrant(grant: Grant | undefined, rule: PathRule): Grant {
  if (((grant?.capabilities ?? 0) | rule.capabilities) & capabilityBits.deny) return denial;
  const allowed = mergeParameters(grant?.allowed, rule.allowed);
  const denied = mergeParameters(grant?.denied, rule.denied);
  const required = [...new Set([...(grant?.required ?? []), ...rule.required])];
  return {
    capabilities: (grant?.capabilities ?? 0) | rule.capabilities,
    allowed,
    denied,
    required,
    // The shorter of the two, so that an answer can be wrapped for as short a time as any policy requires.
    minWrappingTtl: shorter(grant?.minWrappingTtl, rule.minWrappingTtl),
    maxWrappingTtl: shorter(grant?.maxWrappingTtl, rule.maxWrappingTtl),
    checksParameters: allowed !== undefined || denied !== undefined || required.length > 0,
  };
}

function shorter(one: number | undefined, other: number): number {
  if (one === undefined || one === 0) return other;
  return other === 0 ? one : Math.min(one, other);
}

function mergeParameters(
  one: ParameterRules | undefined,
  other: ParameterRules | undefined,
): ParameterRules | undefined {
  if (one === undefined || one.size === 0) return other === undefined || other.size === 0 ? one : other;
  if (other === undefined) return one;
  const merged = new Map<string, readonly ParameterValue[]>(one);
  for (const [name, values] of other) {
    const known = merged.get(name);
    const anyValue = values.length === 0 || known?.length === 0;
    merged.set(name, anyValue ? [] : [...(known ?? []), ...values]);
  }
  return merged;
}
