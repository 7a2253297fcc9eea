import type { Route } from '../core/backend.ts';
import type { Identity } from '../identity/identity.ts';
import type { Barrier } from '../store/barrier.ts';
import type { MountTableStore } from '../store/mounts.ts';
import { capabilityRoutes } from './capabilities.ts';
import { generateRootRoutes } from './generate-root.ts';
import { leaseRoutes } from './leases.ts';
import { mountWire } from './mount-wire.ts';
import { namespaceRoutes } from './namespaces.ts';
import { policyRoutes } from './policies.ts';
import { resultantAclRoute } from './resultant-acl.ts';
import { wrappingRoutes } from './wrapping.ts';

const prefix = 'auth/';

export function identityRoutes(identity: Identity, barrier: Barrier, mounts: MountTableStore): Route[] {
  return [
    ...generateRootRoutes(identity, barrier),
    ...policyRoutes(identity),
    ...capabilityRoutes(identity),
    resultantAclRoute(identity),
    authMountRoute(mounts),
    ...namespaceRoutes(identity, mounts),
    ...leaseRoutes(identity, mounts),
    ...wrappingRoutes(identity),
  ];
}

/** sys/auth: the auth methods of a namespace, which are fixed. */
function authMountRoute(mounts: MountTableStore): Route {
  return {
    path: 'auth',
    operations: {
      read: ({ namespace }) => ({
        data: Object.fromEntries(
          mounts
            .list(namespace)
            .filter(({ path }) => path.startsWith(prefix))
            .map((mount) => [mount.path.slice(prefix.length), mountWire(mount)]),
        ),
        repeatData: true,
      }),
    },
  };
}
