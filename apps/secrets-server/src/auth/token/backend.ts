import type { Backend, Route } from '../../core/backend.ts';
import { backendOf } from '../../core/routes.ts';
import type { Identity } from '../../identity/identity.ts';
import { createRoutes } from './create.ts';
import { lookupRoutes } from './lookup.ts';
import { renewRoutes } from './renew.ts';
import { revokeRoutes } from './revoke.ts';

/** The token auth method, which every namespace has. */
export function tokenBackend(identity: Identity): Backend {
  return backendOf([
    ...createRoutes(identity),
    ...lookupRoutes(identity),
    ...renewRoutes(identity),
    ...revokeRoutes(identity),
    accessorsRoute(identity),
  ]);
}

function accessorsRoute({ tokens }: Identity): Route {
  return {
    path: 'accessors',
    sudo: true,
    operations: {
      list: ({ namespace, now }) => {
        const keys = tokens.accessors(namespace, now);
        return keys.length === 0 ? undefined : { data: { keys } };
      },
    },
  };
}
