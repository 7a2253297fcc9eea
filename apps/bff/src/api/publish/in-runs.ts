import { pathsOf } from '#audit/wish.ts';
import type { ResourceAudit } from '#operation/operation.ts';

/** How the audit trail identifies publishing runs and their uploads: by the run's ID. */
export const inRuns: ResourceAudit = {
  service: 'boxes',
  // A plan without a version sets none, and a revision is only compared.
  address: ({ params: { run = '' }, body }) => ({
    id: run,
    paths: pathsOf(body).filter((path) => path !== 'version' && path !== 'revision'),
  }),
};
