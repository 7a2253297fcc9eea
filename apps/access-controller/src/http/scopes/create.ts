import { sendJson } from '@gatehouse/service-kit/http';
import { newId } from '@gatehouse/service-kit/ids';
import { blankLabel, changedLabel } from '../../domain/label.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import { globalScopeId } from '../../domain/scope.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireIn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { scopeAnswer } from './answer.ts';
import { isScopeId } from './scope-id.ts';

/** POST /v1/scopes: an organisation in the global scope, or a project in an organisation. */
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
