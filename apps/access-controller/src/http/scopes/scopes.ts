import type { Role } from '@gatehouse/service-kit/accounts';
import { sendJson, sendEmpty } from '@gatehouse/service-kit/http';
import { isId, newId } from '@gatehouse/service-kit/ids';
import type { Request } from 'express';
import { blankLabel, changedLabel } from '../../domain/label.ts';
import { invalidField, FieldFaults, notFound, emptyMask } from '../../domain/refusal.ts';
import { type Scope, globalScopeId } from '../../domain/scope.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireIn, requireOn } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { answerPage, readPageRequest, type AskedListing } from '../paged-list.ts';
import { QueryReader } from '../query.ts';
import { scopeSummaries, scopeSummary, wireScope } from '../wire/scope.ts';

/** The wire form of a scope, with a summary of its parent. */
export function scopeAnswer(
  context: Context,
  scope: Scope,
  role: Role | null,
): Readonly<Record<string, unknown>> {
  const parent = scope.parentId === '' ? scopeSummary(scope) : scopeSummaries(context.scopes)(scope.parentId);
  return wireScope(scope, parent, role);
}

/** Whether a value is a well-formed scope ID. */
export function isScopeId(id: unknown): id is string {
  return id === globalScopeId || isId(id, 'o', 'p');
}

/** The scope ID in a request's path. @throws Refusal `invalid argument` on field `id` */
export function pathScopeId(req: Request): string {
  const id = req.params['id'];
  if (isScopeId(id)) return id;
  throw invalidField('id', 'Invalid formatted identifier.');
}

/** POST /v1/scopes: creates an organization in the global scope, or a project in an organization. */
export const createScope: Operation = async (context, req, res) => {
  const { role } = requireIn(context, req, 'scope', 'create');
  const faults = new FieldFaults();
  const members = new MemberReader(readObject(req), faults);
  const parentId = members.string('scope_id') ?? '';
  if (!isScopeId(parentId) || parentId.startsWith('p_')) {
    faults.add('scope_id', "Must be 'global' or a valid org scope id when creating.");
  }
  const type = parentId === globalScopeId ? 'org' : 'project';
  const asked = members.string('type') ?? '';
  if (asked !== '' && asked !== type) {
    faults.add(
      'type',
      type === 'org' ? "Must be 'org' in the global scope." : "Must be 'project' in an organization.",
    );
  }
  const fields = changedLabel(
    blankLabel,
    { name: members.string('name') ?? '', description: members.string('description') ?? '' },
    faults,
  );
  faults.refuseAny();

  const now = context.clock.now();
  const scope = await context.scopes.insert({
    ...fields,
    id: newId(type === 'org' ? 'o' : 'p'),
    type,
    parentId,
    createdTime: now,
    updatedTime: now,
    version: 1,
  });
  sendJson(res, 200, scopeAnswer(context, scope, role));
};

/** DELETE /v1/scopes/{id}: deletes the scope and everything in it. */
export const deleteScope: Operation = async (context, req, res) => {
  requireOn(context, req, 'scope', 'delete');
  const id = pathScopeId(req);
  if (id === globalScopeId) throw invalidField('id', 'Invalid to delete global scope.');
  await context.scopes.remove(id, context.clock.now());
  sendEmpty(res);
};

/** GET /v1/scopes/{id} */
export const getScope: Operation = (context, req, res) => {
  const { role } = requireOn(context, req, 'scope', 'read');
  const id = pathScopeId(req);
  const scope = context.scopes.get(id);
  if (scope === undefined) throw notFound();
  sendJson(res, 200, scopeAnswer(context, scope, role));
};

/**
 * GET /v1/scopes: a page, newest first, of the scopes in a scope (by default the global one), or with `recursive` of
 * all below it.
 */
export const listScopes: Operation = async (context, req, res) => {
  const { role } = requireIn(context, req, 'scope', 'list');
  const faults = new FieldFaults();
  const query = new QueryReader(req, faults);
  const scopeId = query.string('scope_id') || globalScopeId;
  const recursive = query.boolean('recursive');
  const request = await readPageRequest(context, req, faults);
  if (!isScopeId(scopeId) || (scopeId.startsWith('p_') && !recursive)) {
    faults.add(
      'scope_id',
      "This field must be 'global' or a valid org scope id or the list operation must be recursive.",
    );
  }
  faults.refuseAny();
  if (context.scopes.get(scopeId) === undefined) throw notFound();

  const parentOf = scopeSummaries(context.scopes);
  const asked: AskedListing<Scope> = {
    listing: context.scopes.pages,
    within: recursive && scopeId === globalScopeId ? 'all' : { in: scopeId },
    of: ['scope', scopeId, recursive ? 'recursive' : ''],
    toWire: (scope) => wireScope(scope, parentOf(scope.parentId), role),
  };
  sendJson(res, 200, await answerPage(asked, request, context.clock.now()));
};

/** PATCH /v1/scopes/{id}: sets the name or the description, if `version` is the current one. */
export const updateScope: Operation = async (context, req, res) => {
  const { role } = requireOn(context, req, 'scope', 'update');
  const id = pathScopeId(req);
  const faults = new FieldFaults();
  const members = new MemberReader(readObject(req), faults);
  const version = members.version();
  const change = { name: members.string('name'), description: members.string('description') };
  changedLabel(blankLabel, change, faults);
  faults.refuseAny();
  if (change.name === undefined && change.description === undefined) throw emptyMask();

  const scope = await context.scopes.change(id, version ?? 0, (current) => ({
    ...current,
    ...changedLabel(current, change, faults),
    updatedTime: context.clock.now(),
  }));
  sendJson(res, 200, scopeAnswer(context, scope, role));
};
