import type { Route } from '../core/backend.ts';
import { permissionDenied } from '../core/refusal.ts';
import { capabilityWords } from '../domain/policy/capability.ts';
import type { Grant } from '../domain/policy/grant.ts';
import type { Identity } from '../identity/identity.ts';
import { isWrappedCaller } from '../identity/wrapped-caller.ts';

/** sys/internal/ui/resultant-acl: the caller's merged grants, for clients that decide which actions to offer. */
export function resultantAclRoute({ acls }: Identity): Route {
  return {
    path: 'internal/ui/resultant-acl',
    operations: {
      read: ({ caller }) => {
        if (caller === undefined || isWrappedCaller(caller)) throw permissionDenied();
        const acl = acls.of(caller);
        const { exact, glob } = acl.grants();
        return {
          data: {
            root: acl.root,
            exact_paths: wirePaths(exact),
            glob_paths: wirePaths(glob),
            chroot_namespace: '',
          },
        };
      },
    },
  };
}

function wirePaths(grants: ReadonlyMap<string, Grant>): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...grants].map(([path, grant]) => [path, wireGrant(grant)]));
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
