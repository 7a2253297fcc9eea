import type { Route } from '../core/backend.ts';
import { permissionDenied } from '../core/refusal.ts';
import { capabilityWords } from '../domain/policy/capability.ts';
import type { Grant } from '../domain/policy/grant.ts';
import type { Identity } from '../identity/identity.ts';
import { isWrappedCaller } from '../identity/wrapped-caller.ts';

/** The number of grants converted in one go. */
const grantsInOneGo = 500;

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
            exact_paths: await wirePaths(exact, giveWay),
            glob_paths: await wirePaths(glob, giveWay),
            chroot_namespace: '',
          },
        };
      },
    },
  };
}

async function wirePaths(
  grants: ReadonlyMap<string, Grant>,
  giveWay: () => Promise<void>,
): Promise<Readonly<Record<string, unknown>>> {
  const paths: [string, Readonly<Record<string, unknown>>][] = [];
  for (const [path, grant] of grants) {
    if (paths.length % grantsInOneGo === grantsInOneGo - 1) await giveWay();
    paths.push([path, wireGrant(grant)]);
  }
  return Object.fromEntries(paths);
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
