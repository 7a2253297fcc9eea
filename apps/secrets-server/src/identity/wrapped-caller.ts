import type { TokenEntry } from '../core/identity.ts';
import type { Wrapping } from '../store/wrappings.ts';

/** A caller who presents a wrapping token as their own token. It can be used only for its wrapped answer. */
export interface WrappedCaller extends TokenEntry {
  readonly wrapping: Wrapping;
}

/** The name of a wrapping token's policy, which has no text. */
const wrappingPolicyName = 'response-wrapping';

export function wrappedCaller(wrapping: Wrapping): WrappedCaller {
  return {
    accessor: wrapping.accessor,
    namespace: wrapping.namespace,
    displayName: '',
    policies: [wrappingPolicyName],
    wrapping,
  };
}

export function isWrappedCaller(caller: TokenEntry | undefined): caller is WrappedCaller {
  return caller !== undefined && 'wrapping' in caller;
}
