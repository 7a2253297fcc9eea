import type { Route } from '../core/backend.ts';

/**
 * Features of other servers that this server lacks: audit devices and CORS. They are always reported as not configured.
 */
export const notConfiguredRoutes: readonly Route[] = [
  {
    path: 'audit',
    sudo: true,
    rootNamespaceOnly: true,
    operations: { read: () => ({ data: {}, repeatData: true }) },
  },
  {
    path: 'config/cors',
    sudo: true,
    rootNamespaceOnly: true,
    operations: { read: () => ({ data: { enabled: false }, repeatData: true }) },
  },
];
