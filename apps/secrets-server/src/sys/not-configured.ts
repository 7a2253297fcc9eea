import type { Route } from '../core/backend.ts';

/** What other servers have configured and this one never has: audit devices, and answers to pages of other origins. */
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
