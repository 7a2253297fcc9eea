import { capabilityBits } from './capability.ts';
import type { ParameterRules, ParameterValue, PathRule } from './policy.ts';

/** What all policies together say of one path pattern. */
export interface Grant {
  /** A set of `capabilityBits`. */
  readonly capabilities: number;
  readonly allowed: ParameterRules | undefined;
  readonly denied: ParameterRules | undefined;
  readonly required: readonly string[];
  /** Seconds; 0 is none. */
  readonly minWrappingTtl: number;
  /** Seconds; 0 is none. */
  readonly maxWrappingTtl: number;
  /** Whether it says anything of parameters, so that they are worth looking at. */
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

/** What a rule adds to the grant of its pattern. */
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
    // The shorter of both, so that what is wrapped lives as briefly as any policy asks.
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
