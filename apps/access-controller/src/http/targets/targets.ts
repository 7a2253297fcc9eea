import { sendJson, sendEmpty } from '@gatehouse/service-kit/http';
import { isId, newId } from '@gatehouse/service-kit/ids';
import type { Request } from 'express';
import { FieldFaults, notFound, emptyMask } from '../../domain/refusal.ts';
import { newFields, changedFields, checkChange } from '../../domain/target/change.ts';
import {
  noCredentialSources,
  targetPrefixes,
  targetTypes,
  type TargetType,
  type Target,
} from '../../domain/target/target.ts';
import { MemberReader, readObject, isEmptyChange } from '../body.ts';
import { requireIn, requireOn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { type AskedListing, answerPage, readPageRequest } from '../paged-list.ts';
import { pathId } from '../path-id.ts';
import { readProjectScopes, withinScopes } from '../project-scopes.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { readTargetChange, wireTarget } from '../wire/target.ts';

/** POST /v1/targets: creates a target in a project. */
export const createTarget: Operation = async (context, req, res) => {
  const { role } = requireIn(context, req, 'target', 'create');
  const body = readObject(req);
  const faults = new FieldFaults();
  const members = new MemberReader(body, faults);
  const projectId = members.string('scope_id') ?? '';
  if (!isId(projectId, 'p')) faults.add('scope_id', 'This field must be a project ID.');
  const type = readType(members, faults);
  // An unknown type has added a fault already; ssh replaces it, since that has no required attributes.
  const fields = newFields(type ?? 'ssh', readTargetChange(body, type, faults), faults);
  if (type === undefined || !isId(projectId, 'p')) return faults.refuseAny();
  faults.refuseAny();

  const now = context.clock.now();
  const target = await context.targets.insert({
    ...fields,
    id: newId(targetPrefixes[type]),
    projectId,
    type,
    createdTime: now,
    updatedTime: now,
    version: 1,
    hostSources: [],
    credentialSources: noCredentialSources,
  });
  sendJson(res, 200, wireTarget(target, scopeSummaries(context.scopes)(projectId), role));
};

function readType(members: MemberReader, faults: FieldFaults): TargetType | undefined {
  const given = members.string('type') ?? '';
  const type = targetTypes.find((known) => known === given);
  if (type === undefined)
    faults.add('type', given === '' ? 'This is a required field.' : 'Unknown type provided.');
  return type;
}

const prefixes = Object.values(targetPrefixes);

/** The target ID in a request's path. @throws Refusal `invalid argument` on field `id` */
export function targetId(req: Request): string {
  return pathId(req, ...prefixes);
}

/** The type of a target, from the prefix of its ID. @param id well-formed */
export function typeOfTarget(id: string): TargetType {
  return targetTypes.find((type) => id.startsWith(`${targetPrefixes[type]}_`)) ?? 'tcp';
}

/** DELETE /v1/targets/{id} */
export const deleteTarget: Operation = async (context, req, res) => {
  requireOn(context, req, 'target', 'delete');
  const id = targetId(req);
  await context.targets.remove(id, context.clock.now());
  sendEmpty(res);
};

/** GET /v1/targets/{id} */
export const getTarget: Operation = (context, req, res) => {
  const { role } = requireOn(context, req, 'target', 'read');
  const id = targetId(req);
  const target = context.targets.get(id);
  if (target === undefined) throw notFound();
  sendJson(res, 200, wireTarget(target, scopeSummaries(context.scopes)(target.projectId), role));
};

/** GET /v1/targets: a page, newest first, of the targets in a project, or with `recursive` in any scope. */
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

/** PATCH /v1/targets/{id}: sets the fields in the body, if its `version` is the current one. */
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
