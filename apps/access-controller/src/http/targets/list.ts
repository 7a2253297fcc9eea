import { sendJson } from '@gatehouse/service-kit/http';
import { FieldFaults } from '../../domain/refusal.ts';
import type { Target } from '../../domain/target/target.ts';
import { requireIn } from '../caller.ts';
import type { Operation } from '../context.ts';
import type { AskedListing } from '../paged-list.ts';
import { answerPage, readPageRequest } from '../paged-list.ts';
import { readProjectScopes, withinScopes } from '../project-scopes.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { wireTarget } from '../wire/target.ts';

/** GET /v1/targets: pages, newest first, of the targets in a project, or with `recursive` in any scope. */
export const listTargets: Operation = async (context, req, res) => {
  const { role } = requireIn(context, req, 'target', 'list');
  const faults = new FieldFaults();
  const scopes = readProjectScopes(req, faults);
  const request = await readPageRequest(context, req, faults);
  faults.refuseAny();

  const scopeOf = scopeSummaries(context.scopes);
  const asked: AskedListing<Target> = {
    listing: context.targets,
    within: withinScopes(context, scopes),
    of: ['target', scopes.scopeId, scopes.recursive ? 'recursive' : ''],
    toWire: (target) => wireTarget(target, scopeOf(target.projectId), role),
  };
  sendJson(res, 200, await answerPage(asked, request, context.clock.now()));
};
