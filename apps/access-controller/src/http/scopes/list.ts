import { sendJson } from '@gatehouse/service-kit/http';
import { FieldFaults, notFound } from '../../domain/refusal.ts';
import { globalScopeId } from '../../domain/scope.ts';
import { requireIn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { allowanceOf, filtered, readFilter } from '../filter.ts';
import { QueryReader } from '../query.ts';
import { wireList } from '../wire/list.ts';
import { scopeSummaries, wireScope } from '../wire/scope.ts';
import { isScopeId } from './scope-id.ts';

/** GET /v1/scopes: the scopes in a scope (the global one unless given), with `recursive` all below it; newest first. */
export const listScopes: Operation = async (context, req, res) => {
  const { role } = requireIn(context, req, 'scope', 'list');
  const faults = new FieldFaults();
  const query = new QueryReader(req, faults);
  const scopeId = query.string('scope_id') || globalScopeId;
  const recursive = query.boolean('recursive');
  const allowance = allowanceOf(context, req);
  const filter = await readFilter(query.string('filter'), allowance, faults);
  if (!isScopeId(scopeId) || (scopeId.startsWith('p_') && !recursive)) {
    faults.add(
      'scope_id',
      "This field must be 'global' or a valid org scope id or the list operation must be recursive.",
    );
  }
  faults.refuseAny();
  if (context.scopes.get(scopeId) === undefined) throw notFound();

  const scopes = recursive ? context.scopes.descendants(scopeId) : context.scopes.children(scopeId);
  const parentOf = scopeSummaries(context.scopes);
  const items = await filtered(
    scopes.toReversed(),
    (scope) => wireScope(scope, parentOf(scope.parentId), role),
    filter,
    allowance.slices,
  );
  sendJson(res, 200, wireList(items));
};
