import type { Route } from '../core/backend.ts';
import { badRequest } from '../core/refusal.ts';

/** sys/init: always initialized, because the server initializes itself at its first start. */
export function initRoute(): Route {
  return {
    path: 'init',
    withoutToken: true,
    whileSealed: true,
    rootNamespaceOnly: true,
    operations: {
      read: () => ({ bare: { initialized: true } }),
      update: () => {
        throw badRequest('Vault is already initialized');
      },
    },
  };
}
