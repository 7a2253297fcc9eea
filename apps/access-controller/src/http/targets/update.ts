import { sendJson } from '@gatehouse/service-kit/http';
import { FieldFaults, emptyMask } from '../../domain/refusal.ts';
import { changedFields, checkChange } from '../../domain/target/change.ts';
import { MemberReader, isEmptyChange, readObject } from '../body.ts';
import { requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { readTargetChange, wireTarget } from '../wire/target.ts';
import { targetId, typeOfTarget } from './target-id.ts';

/** PATCH /v1/targets/{id}: sets the fields that the body names, if its `version` is the current one. */
export const updateTarget: Operation = async (context, req, res) => {
  const { role } = requireOn(context, req, 'target', 'update');
  const id = targetId(req);
  const type = typeOfTarget(id);
  const body = readObject(req);
  const faults = new FieldFaults();
  const members = new MemberReader(body, faults);
  const version = members.version();
  if ((members.string('type') ?? type) !== type) faults.add('type', 'Cannot modify the resource type.');
  const change = readTargetChange(body, type, faults);
  checkChange(type, change, faults);
  faults.refuseAny();
  if (isEmptyChange(change)) throw emptyMask();

  const target = await context.targets.change(id, version ?? 0, (current) => ({
    ...current,
    ...changedFields(current, change, new FieldFaults()),
    updatedTime: context.clock.now(),
  }));
  sendJson(res, 200, wireTarget(target, scopeSummaries(context.scopes)(target.projectId), role));
};
