import { sendJson } from '@gatehouse/service-kit/http';
import type { Request } from 'express';
import { isMemberRole, memberRoles } from '../../domain/namespace.ts';
import type { MemberRole } from '../../domain/namespace.ts';
import { Faults, notFound, unprocessable } from '../../domain/refusal.ts';
import { actionsIn, segment } from '../access.ts';
import { FieldReader, readGroup } from '../body.ts';
import type { Context, Operation } from '../context.ts';
import { wireOrganization } from '../wire/organization.ts';
import { openOrganization } from './open.ts';

const maxLogin = 200;

/** POST /api/v1/organizations/:username/members: username and role. Answers the organization. */
export const addMember: Operation = async (context, req, res) => {
  const { organization, actions } = openOrganization(context, req, 'manage');
  const { username, role } = readMember(req);
  if (role === undefined) throw unprocessable(roleFault);
  const account = context.accounts.getByLoginName(username ?? '');
  if (account === undefined || account.roles.boxes === null)
    throw unprocessable('Username has no role in this registry');
  await context.members.add(organization.id, account.id, role, context.clock.now());
  sendJson(res, 200, wireOrganization(context, organization, actions));
};

/** PUT /api/v1/organizations/:username/members/:member: role. Answers the organization. */
export const changeMember: Operation = async (context, req, res) => {
  const { caller, organization } = openOrganization(context, req, 'manage');
  const { role } = readMember(req);
  if (role === undefined) throw unprocessable(roleFault);
  await context.members.change(organization.id, memberId(context, req), role);
  sendJson(res, 200, wireOrganization(context, organization, actionsIn(context, caller, organization)));
};

/** DELETE /api/v1/organizations/:username/members/:member; everybody may leave. Answers the organization. */
export const removeMember: Operation = async (context, req, res) => {
  const { caller, organization } = openOrganization(context, req);
  const id = memberId(context, req);
  if (id !== caller.account.id) openOrganization(context, req, 'manage');
  await context.members.remove(organization.id, id);
  sendJson(res, 200, wireOrganization(context, organization, actionsIn(context, caller, organization)));
};

const roleFault = `Role must be one of ${memberRoles.join(', ')}`;

function readMember(req: Request): {
  readonly username: string | undefined;
  readonly role: MemberRole | undefined;
} {
  const faults = new Faults();
  const fields = new FieldReader(readGroup(req, 'member', ['username', 'role']), faults);
  const username = fields.text('username', maxLogin);
  const role = fields.text('role', 20);
  if (role !== undefined && !isMemberRole(role)) faults.add(roleFault);
  faults.refuseAny();
  return { username, role: role !== undefined && isMemberRole(role) ? role : undefined };
}

function memberId(context: Context, req: Request): string {
  const account = context.accounts.getByLoginName(segment(req, 'member'));
  if (account === undefined) throw notFound();
  return account.id;
}
