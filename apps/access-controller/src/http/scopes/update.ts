import { sendJson } from '@gatehouse/service-kit/http';
import { requireOn } from '../../domain/permissions.ts';
import { FieldFaults, invalidField } from '../../domain/refusal.ts';
import { changedScopeFields } from '../../domain/scope-change.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { scopeAnswer } from './answer.ts';
import { pathScopeId } from './scope-id.ts';

/** PATCH /v1/scopes/{id}: sets the name or the description, if `version` is the current one. */
export const updateScope: Operation = async (context, req, res) => {
  const { role } = requireCaller(context, req);
  const id = pathScopeId(req);
  const faults = new FieldFaults();
  const members = new MemberReader(readObject(req), faults);
  const version = members.version();
  const change = { name: members.string('name'), description: members.string('description') };
  changedScopeFields({ name: '', description: '' }, change, faults);
  faults.refuseAny();
  if (change.name === undefined && change.description === undefined) {
    const problem = 'No valid fields included in the update mask.';
    throw invalidField('update_mask', problem, problem);
  }
  requireOn('scope', role, 'update');

  const scope = await context.scopes.change(id, version ?? 0, (current) => ({
    ...current,
    ...changedScopeFields(current, change, faults),
    updatedTime: context.clock.now(),
  }));
  sendJson(res, 200, scopeAnswer(context, scope, role));
};
