import { capabilityBits, capabilityWords } from './capability.ts';
import type { Capability } from './capability.ts';
import { emptyGrant, mergeRule } from './grant.ts';
import type { Grant, OpenGrant } from './grant.ts';
import { parametersAllowed } from './parameters.ts';
import { rootPolicyName } from './policy.ts';
import type { Policy } from './policy.ts';
import { matchesSegments, reachesBelow, readSegmentPattern } from './segment-pattern.ts';
import type { SegmentPattern } from './segment-pattern.ts';

/** The policy-relevant part of a request. */
export interface AclRequest {
  readonly operation: Exclude<Capability, 'deny' | 'sudo' | 'subscribe' | 'recover' | 'scan'>;
  /** Includes the namespace; no leading slash. */
  readonly path: string;
  /** The top-level members of the body. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The requested lifetime of the wrapped answer in seconds; undefined without wrapping. */
  readonly wrapTtl?: number;
}

/** The policies' decision about a request. */
export interface Verdict {
  readonly allowed: boolean;
  /** Whether the caller may use the path if the path requires `sudo`. */
  readonly sudo: boolean;
}

export interface PlacedPolicy {
  readonly policy: Policy;
  /** Ends with a slash; empty for the root namespace. The policy's patterns are relative to it. */
  readonly namespace: string;
}

/** Compiled policies. */
export interface Acl {
  /** Whether the policies include the root policy, which allows everything. */
  readonly root: boolean;
  judge(request: AclRequest): Verdict;
  /** The capabilities on a path: `["root"]`, `["deny"]`, or words in alphabetical order. */
  capabilities(path: string): string[];
  /** Whether a capability is granted at or below a path that ends with a slash, so that a mount there is shown. */
  mayReach(prefix: string): boolean;
  /** The grants of exact paths and of patterns, for clients that decide which actions to offer. */
  grants(): { readonly exact: ReadonlyMap<string, Grant>; readonly glob: ReadonlyMap<string, Grant> };
}

const denied: Verdict = { allowed: false, sudo: false };
const everything: Verdict = { allowed: true, sudo: true };

/** The number of rules or patterns that are compiled in one go: a few milliseconds of work. */
const rulesInOneGo = 1_000;

/** Compiles policies in one go, like `compileAclInParts`. */
export const compileAcl = (policies: readonly PlacedPolicy[]): Acl => inOneGo(compileAclInParts(policies));

/** Does what is divided into parts, without a pause between them. */
export function inOneGo<Result>(parts: Generator<undefined, Result>): Result {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
  }
}

/**
 * Compiles policies in parts. Rules with the same pattern are merged, and deny wins. Of several patterns that match a
 * path only the most specific applies: an exact path, else the first by `isMoreSpecific`. Source:
 * https://developer.hashicorp.com/vault/docs/concepts/policies#priority-matching
 */
export function* compileAclInParts(policies: readonly PlacedPolicy[]): Generator<undefined, Acl> {
  if (policies.some(({ policy, namespace }) => policy.name === rootPolicyName && namespace === ''))
    return rootAcl;
  const exact = new Map<string, OpenGrant>();
  const prefixes = new Map<string, OpenGrant>();
  const segmented = new Map<string, OpenGrant>();
  let rules = 0;
  for (const { policy, namespace } of policies) {
    for (const rule of policy.rules) {
      if (rules++ % rulesInOneGo === rulesInOneGo - 1) yield;
      const pattern = namespace + rule.pattern;
      const [kind, key] = hasSegmentWildcard(pattern)
        ? [segmented, pattern]
        : pattern.endsWith('*')
          ? [prefixes, pattern.slice(0, -1)]
          : [exact, pattern];
      let grant = kind.get(key);
      if (grant === undefined) kind.set(key, (grant = emptyGrant()));
      mergeRule(grant, rule);
    }
  }
  /** Longest first. */
  const prefixLengths = [...new Set([...prefixes.keys()].map((prefix) => prefix.length))].toSorted(
    (one, other) => other - one,
  );
  let patterns: { readonly pattern: SegmentPattern; readonly grant: Grant }[] = [];
  for (const [text, grant] of segmented) {
    if (patterns.length % rulesInOneGo === rulesInOneGo - 1) yield;
    patterns.push({ pattern: readSegmentPattern(text), grant });
  }
  if (patterns.length >= rulesInOneGo) yield;
  patterns = patterns.toSorted((one, other) => (isMoreSpecific(one.pattern, other.pattern) ? -1 : 1));

  const findPattern = (path: string): Grant | undefined => {
    let grant: Grant | undefined;
    let prefix: SegmentPattern | undefined;
    for (const length of prefixLengths) {
      if (length > path.length) continue;
      grant = prefixes.get(path.slice(0, length));
      if (grant === undefined) continue;
      if (patterns.length > 0) prefix = prefixPattern(path, length);
      break;
    }
    if (patterns.length === 0) return grant;
    const segments = path.split('/');
    for (const { pattern, grant: segmentGrant } of patterns) {
      if (prefix !== undefined && !isMoreSpecific(pattern, prefix)) return grant;
      if (matchesSegments(pattern, segments)) return segmentGrant;
    }
    return grant;
  };

  const find = (path: string, list: boolean): Grant | undefined => {
    const found = exact.get(path);
    if (found !== undefined) return found;
    if (!list || !path.endsWith('/')) return findPattern(path);
    // A list request has a trailing slash that the rule may lack.
    const bare = path.slice(0, -1);
    return exact.get(bare) ?? findPattern(bare) ?? findPattern(path);
  };

  const grantsAnything = (grant: Grant): boolean => (grant.capabilities & ~capabilityBits.deny) !== 0;
  let granted: readonly string[] | undefined;
  /** Whether an exact path or a prefix below a folder grants anything. Servers have thousands of mounts to ask for. */
  const grantsBelow = (folder: string): boolean => {
    granted ??= [...exact, ...prefixes]
      .flatMap(([key, grant]) => (grantsAnything(grant) ? [key] : []))
      .toSorted();
    let low = 0;
    for (let high = granted.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((granted[middle] ?? '') < folder) low = middle + 1;
      else high = middle;
    }
    return granted[low]?.startsWith(folder) === true;
  };

  return {
    root: false,
    judge({ operation, path, parameters, wrapTtl }) {
      const grant = find(path, operation === 'list');
      if (grant === undefined) return denied;
      const sudo = (grant.capabilities & capabilityBits.sudo) !== 0;
      if ((grant.capabilities & capabilityBits[operation]) === 0) return { allowed: false, sudo };
      if (grant.minWrappingTtl > 0 && (wrapTtl === undefined || wrapTtl < grant.minWrappingTtl))
        return { allowed: false, sudo };
      if (grant.maxWrappingTtl > 0 && (wrapTtl === undefined || wrapTtl > grant.maxWrappingTtl))
        return { allowed: false, sudo };
      const checked = grant.checksParameters && operation !== 'list' && operation !== 'delete';
      return { allowed: !checked || parametersAllowed(grant, parameters ?? {}), sudo };
    },
    capabilities: (path) => capabilityWords(find(path, true)?.capabilities ?? 0),
    mayReach(prefix) {
      const at = find(prefix, true);
      if (at !== undefined && grantsAnything(at)) return true;
      if (grantsBelow(prefix)) return true;
      const folder = prefix.split('/').slice(0, -1);
      return patterns.some(({ pattern, grant }) => grantsAnything(grant) && reachesBelow(pattern, folder));
    },
    grants: () => ({ exact, glob: new Map([...prefixes, ...segmented]) }),
  };
}

const rootAcl: Acl = {
  root: true,
  judge: () => everything,
  capabilities: () => ['root'],
  mayReach: () => true,
  grants: () => ({ exact: new Map(), glob: new Map() }),
};

function hasSegmentWildcard(pattern: string): boolean {
  return pattern === '+' || pattern.startsWith('+/') || pattern.includes('/+');
}

/** Converts the matching prefix to a pattern, to compare it with segment patterns. */
function prefixPattern(path: string, length: number): SegmentPattern {
  return {
    text: path.slice(0, length),
    segments: [],
    firstWildcard: length,
    isPrefix: true,
    wildcards: 0,
  };
}

/**
 * Whether the first of two patterns that match the same path takes precedence: the pattern with the later first
 * wildcard; then without a trailing `*`; then with fewer `+`; then the longer; then the later in the alphabet.
 */
export function isMoreSpecific(one: SegmentPattern, other: SegmentPattern): boolean {
  if (one.firstWildcard !== other.firstWildcard) return one.firstWildcard > other.firstWildcard;
  if (one.isPrefix !== other.isPrefix) return !one.isPrefix;
  if (one.wildcards !== other.wildcards) return one.wildcards < other.wildcards;
  if (one.text.length !== other.text.length) return one.text.length > other.text.length;
  return one.text > other.text;
}
