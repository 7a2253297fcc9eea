/** A value in a parameter rule; a text with `*` at either end is a pattern. */
export type ParameterValue = string | number | boolean | null | readonly ParameterValue[];

/**
 * The listed values of each parameter, by lower-case name; an empty list means any value. `*` stands for every
 * parameter.
 */
export type ParameterRules = ReadonlyMap<string, readonly ParameterValue[]>;

/** A policy's rule for one path pattern. */
export interface PathRule {
  /** As written, without a leading slash: a trailing `*` matches any rest, and `+` any one segment. */
  readonly pattern: string;
  /** A set of `capabilityBits`; a denial has only that bit. */
  readonly capabilities: number;
  readonly allowed?: ParameterRules;
  readonly denied?: ParameterRules;
  /** In lower case. */
  readonly required: readonly string[];
  /** In seconds; 0 for none. If the rule has a minimum or maximum, requests must be wrapped. */
  readonly minWrappingTtl: number;
  /** In seconds; 0 for none. */
  readonly maxWrappingTtl: number;
}

/** A parsed policy. */
export interface Policy {
  /** In lower case. */
  readonly name: string;
  readonly rules: readonly PathRule[];
  /** The number of words and symbols in its text, to which the time to parse and compile it is proportional. */
  readonly symbols: number;
}

/** The name of the policy that allows everything; it has no text. */
export const rootPolicyName = 'root';

/** The name of the policy that tokens have unless it is excluded at creation. */
export const defaultPolicyName = 'default';
