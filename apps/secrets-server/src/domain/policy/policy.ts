/** A value that a parameter may, or may not, have: text with `*` at its ends is a pattern. */
export type ParameterValue = string | number | boolean | null | readonly ParameterValue[];

/** Parameter names in lower case, with the values meant; no values is any. `*` is every parameter. */
export type ParameterRules = ReadonlyMap<string, readonly ParameterValue[]>;

/** What a policy says of one path pattern. */
export interface PathRule {
  /** As written, without a leading slash: `*` at the end is any rest, `+` in place of a segment any one. */
  readonly pattern: string;
  /** A set of `capabilityBits`; a denial is alone. */
  readonly capabilities: number;
  readonly allowed?: ParameterRules;
  readonly denied?: ParameterRules;
  /** In lower case. */
  readonly required: readonly string[];
  /** In seconds; 0 is none. With either, a request must ask for its answer to be wrapped. */
  readonly minWrappingTtl: number;
  /** In seconds; 0 is none. */
  readonly maxWrappingTtl: number;
}

/** A policy, read from its text. */
export interface Policy {
  /** In lower case. */
  readonly name: string;
  readonly rules: readonly PathRule[];
}

/** The policy that may do everything; it has no text. */
export const rootPolicyName = 'root';

/** The policy that tokens bear unless they are made without it. */
export const defaultPolicyName = 'default';
