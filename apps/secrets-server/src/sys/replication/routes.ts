import type { Route } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { replicationFilterRoutes } from './filters.ts';
import { replicationInspectionRoutes } from './inspection.ts';
import { replicationPrimaryRoutes } from './primary.ts';
import { replicationSecondaryRoutes } from './secondary.ts';
import { replicationStatusRoutes } from './status.ts';

/** sys/replication: performance replication of the whole server. */
export function replicationRoutes(context: Context): Route[] {
  const routes = [
    ...replicationStatusRoutes(context),
    ...replicationPrimaryRoutes(context),
    ...replicationFilterRoutes(context),
    ...replicationSecondaryRoutes(context),
    ...replicationInspectionRoutes(context),
  ];
  return routes.map((route) => ({ ...route, rootNamespaceOnly: true }));
}
