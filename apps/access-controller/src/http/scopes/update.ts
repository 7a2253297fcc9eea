import { sendJson } from '@gatehouse/service-kit/http';
import { blankLabel, changedLabel } from '../../domain/label.ts';
import { FieldFaults, emptyMask } from '../../domain/refusal.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { scopeAnswer } from './answer.ts';
import { pathScopeId } from './scope-id.ts';

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
