import { pathsOf } from '#audit/wish.ts';
import type { ResourceAudit } from '#operation/operation.ts';

/** What the audit trail says of runs of publishing, and of their uploads: the run is what it is about. */
export const inRuns: ResourceAudit = {
  service: 'boxes',
  // A plan without a version sets none, and a revision is only compared.
  address: ({ params: { run = '' }, body }) => ({
    id: run,
    paths: pathsOf(body).filter((path) => path !== 'version' && path !== 'revision'),
  }),
};
