import type { Backend } from '../../core/backend.ts';
import { backendOf } from '../../core/routes.ts';
import type { Identity } from '../../identity/identity.ts';
import { accessorsRoute } from './accessors.ts';
import { createRoutes } from './create.ts';
import { lookupRoutes } from './lookup.ts';
import { renewRoutes } from './renew.ts';
import { revokeRoutes } from './revoke.ts';

/** The auth method that every namespace has: tokens themselves. */
export function tokenBackend(identity: Identity): Backend {
  return backendOf([
    ...createRoutes(identity),
    ...lookupRoutes(identity),
    ...renewRoutes(identity),
    ...revokeRoutes(identity),
    accessorsRoute(identity),
  ]);
}
