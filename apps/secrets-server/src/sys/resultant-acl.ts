import type { Route } from '../core/backend.ts';
import { mapText } from '../core/json/map-text.ts';
import { permissionDenied } from '../core/refusal.ts';
import { capabilityWords } from '../domain/policy/capability.ts';
import type { Grant } from '../domain/policy/grant.ts';
import type { Identity } from '../identity/identity.ts';
import { isWrappedCaller } from '../identity/wrapped-caller.ts';

const tooLong = 'use a token with fewer or smaller policies';

/** sys/internal/ui/resultant-acl: the caller's merged grants, for clients that decide which actions to offer. */
export function resultantAclRoute({ acls }: Identity): Route {
  return {
    path: 'internal/ui/resultant-acl',
    operations: {
      read: async ({ caller, giveWay }) => {
        if (caller === undefined || isWrappedCaller(caller)) throw permissionDenied();
        const acl = acls.of(caller);
        const { exact, glob } = acl.grants();
        return {
          data: {
            root: acl.root,
            exact_paths: await mapText(wirePaths(exact), giveWay, tooLong),
            glob_paths: await mapText(wirePaths(glob), giveWay, tooLong),
            chroot_namespace: '',
          },
        };
      },
    },
  };
}

function* wirePaths(
  grants: ReadonlyMap<string, Grant>,
): Generator<readonly [string, Readonly<Record<string, unknown>>]> {
  for (const [path, grant] of grants) yield [path, wireGrant(grant)];
}

function wireGrant(grant: Grant): Readonly<Record<string, unknown>> {
  return {
    capabilities: capabilityWords(grant.capabilities),
    ...(grant.minWrappingTtl > 0 && { min_wrapping_ttl: grant.minWrappingTtl }),
    ...(grant.maxWrappingTtl > 0 && { max_wrapping_ttl: grant.maxWrappingTtl }),
    ...(grant.allowed !== undefined && { allowed_parameters: Object.fromEntries(grant.allowed) }),
    ...(grant.denied !== undefined && { denied_parameters: Object.fromEntries(grant.denied) }),
    ...(grant.required !== undefined && { required_parameters: [...grant.required] }),
  };
}
