import type { Backend } from '../../core/backend.ts';
import { backendOf } from '../../core/routes.ts';
import type { Engine } from './engine.ts';
import { issueCredentials } from './issue.ts';
import { leaseConfigRoute } from './lease-config.ts';
import { roleRoutes } from './roles.ts';
import { rootConfigRoute } from './root-config.ts';
import { rotateRootRoute } from './rotate-root.ts';

const credentialFields = ['role_arn', 'role_session_name', 'ttl'];

export function cloudBackend(engine: Engine): Backend {
  return backendOf([
    rootConfigRoute(engine),
    rotateRootRoute(engine),
    leaseConfigRoute(engine),
    ...roleRoutes(engine),
    ...(['creds', 'sts'] as const).map((path) => {
      const issue = issueCredentials(engine, path);
      return {
        path: `${path}/:name`,
        fields: credentialFields,
        operations: { read: issue, update: issue },
      };
    }),
  ]);
}
