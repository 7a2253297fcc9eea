import { sendJson } from '@gatehouse/service-kit/http';
import { isId, newId } from '@gatehouse/service-kit/ids';
import { FieldFaults } from '../../domain/refusal.ts';
import { newFields } from '../../domain/target/change.ts';
import { noCredentialSources, targetPrefixes, targetTypes } from '../../domain/target/target.ts';
import type { TargetType } from '../../domain/target/target.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireIn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { readTargetChange, wireTarget } from '../wire/target.ts';

/** POST /v1/targets: a new target in a project. */
export const createTarget: Operation = async (context, req, res) => {
  const { role } = requireIn(context, req, 'target', 'create');
  const body = readObject(req);
  const faults = new FieldFaults();
  const members = new MemberReader(body, faults);
  const projectId = members.string('scope_id') ?? '';
  if (!isId(projectId, 'p')) faults.add('scope_id', 'This field must be a project ID.');
  const type = readType(members, faults);
  // Of an unknown type the attributes cannot be judged; ssh has none that must be given.
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
