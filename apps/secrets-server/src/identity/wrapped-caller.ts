import type { TokenEntry } from '../core/identity.ts';
import type { Wrapping } from '../store/wrappings.ts';

/** Somebody who presents a wrapping token as their own: good for what it wraps, and for nothing else. */
export interface WrappedCaller extends TokenEntry {
  readonly wrapping: Wrapping;
}

/** The policy that a wrapping token bears; it has no text. */
const wrappingPolicyName = 'response-wrapping';

/** The caller that a wrapping token stands for. */
export function wrappedCaller(wrapping: Wrapping): WrappedCaller {
  return {
    accessor: wrapping.accessor,
    namespace: wrapping.namespace,
    displayName: '',
    policies: [wrappingPolicyName],
    wrapping,
  };
}

/** Whether a caller presented a wrapping token. */
export function isWrappedCaller(caller: TokenEntry | undefined): caller is WrappedCaller {
  return caller !== undefined && 'wrapping' in caller;
}
