import type { TokenCaller } from '@gatehouse/service-kit/account-tokens';
import { sendJson } from '@gatehouse/service-kit/http';
import { listText, sendParts } from '@gatehouse/service-kit/parts';
import { withoutConditions } from '@gatehouse/service-kit/write-queue';
import type { Request } from 'express';
import { renderMarkdown } from '../../domain/markdown.ts';
import { maxDescription, maxName, ownerNameFault } from '../../domain/names.ts';
import { type StoredNamespace, isMemberRole, memberRoles, type MemberRole } from '../../domain/namespace.ts';
import { mayCreateOrganization, type NamespaceAction } from '../../domain/permissions.ts';
import { Faults, forbidden, unprocessable, notFound } from '../../domain/refusal.ts';
import { followFreedName } from '../../people.ts';
import { actionsIn, oncePerTurn, requireAction, reuseBy, segment } from '../access.ts';
import { FieldReader, readGroup } from '../body.ts';
import { callerOf, presentCaller, requireCaller, requireRight } from '../caller.ts';
import type { Operation, Context } from '../context.ts';
import { wireTime } from '../wire/time.ts';

/**
 * Reads the fields of an organization; a missing or null field is undefined.
 * @throws Refusal `unprocessable` if there are none
 */
export function readOrganizationFields(req: Request, faults: Faults) {
  const known = ['username', 'profile_markdown'];
  const fields = new FieldReader(readGroup(req, 'organization', known), faults);
  return {
    username: fields.text('username', maxName),
    profile: fields.text('profile_markdown', maxDescription),
  };
}

/** POST /api/v1/organizations: creates an organization, with the caller as its first owner. */
export const createOrganization: Operation = async (context, req, res) => {
  const caller = requireRight(context, req, (one) => {
    const person = { accountId: one.account.id, role: one.role };
    if (mayCreateOrganization(person, context.settings.organizationCreators())) return one;
    throw forbidden('You may not create organizations');
  });
  const faults = new Faults();
  const { username = '', profile = '' } = readOrganizationFields(req, faults);
  faults.refuseAny();
  const fault = ownerNameFault(username);
  if (fault !== undefined) throw unprocessable(fault);
  // An organization must not take the name that a user's boxes will have if the user joins the registry later.
  if (context.accounts.getByLoginName(username) !== undefined)
    throw unprocessable('Username has already been taken');
  const organization = await context.namespaces.createOrganization({
    name: username,
    profile,
    ownerId: caller.account.id,
    now: context.clock.now(),
    reuse: reuseBy(context, caller),
  });
  sendJson(res, 200, wireOrganization(context, organization, actionsIn(context, caller, organization)));
};

/** An organization and the caller's actions in it. */
interface OrganizationAccess {
  readonly caller: TokenCaller;
  readonly organization: StoredNamespace;
  readonly actions: readonly NamespaceAction[];
}

/**
 * The organization in a request's path. Requires a token.
 * @throws Refusal `unauthenticated`, `not found`, and `forbidden` if `manage` is needed but not allowed
 */
export function openOrganization(
  context: Context,
  req: Request,
  need: 'read' | 'manage' = 'read',
): OrganizationAccess {
  const caller = need === 'manage' ? callerOf(context, req) : requireCaller(context, req);
  const organization = context.namespaces.find(segment(req, 'username'));
  if (organization?.kind !== 'organization') throw notFound();
  const actions =
    need === 'manage' ? requireManage(context, req, organization) : actionsIn(context, caller, organization);
  return { caller, organization, actions };
}

function requireManage(context: Context, req: Request, organization: StoredNamespace) {
  return requireAction(context, req, organization, 'manage', `manage the organization ${organization.name}`);
}

/** DELETE /api/v1/organizations/:username: deletes an organization without boxes. Returns the former organization. */
export const deleteOrganization: Operation = async (context, req, res) => {
  const { organization, actions } = openOrganization(context, req, 'manage');
  const body = wireOrganization(context, organization, actions);
  await context.namespaces.remove(organization.id);
  await withoutConditions(() => followFreedName(context, organization.name));
  sendJson(res, 200, body);
};

/**
 * GET /api/v1/organizations: all organizations with the caller's actions in each, and whether the caller may create
 * more.
 */
export const listOrganizations: Operation = async (context, req, res, slices) => {
  const caller = requireCaller(context, req);
  const person = { accountId: caller.account.id, role: caller.role };
  const fields = { may_create: mayCreateOrganization(person, context.settings.organizationCreators()) };
  const present = oncePerTurn(() => presentCaller(context, req));
  const organizations = context.namespaces
    .organizations()
    .map((organization) => [
      JSON.stringify({ username: organization.name, actions: actionsIn(context, present(), organization) }),
    ]);
  await sendParts(res, slices, listText(fields, 'organizations', organizations));
};

const maxLogin = 200;

/** POST /api/v1/organizations/:username/members: adds a member with a role. Returns the organization. */
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

/** PUT /api/v1/organizations/:username/members/:member: changes a member's role. Returns the organization. */
export const changeMember: Operation = async (context, req, res) => {
  const { caller, organization } = openOrganization(context, req, 'manage');
  const { role } = readMember(req);
  if (role === undefined) throw unprocessable(roleFault);
  await context.members.change(organization.id, memberId(context, req), role);
  sendJson(res, 200, wireOrganization(context, organization, actionsIn(context, caller, organization)));
};

/**
 * DELETE /api/v1/organizations/:username/members/:member: removes a member. Every member may leave. Returns the
 * organization.
 */
export const removeMember: Operation = async (context, req, res) => {
  const { caller, organization } = openOrganization(context, req);
  const id = memberId(context, req);
  if (id !== caller.account.id) requireManage(context, req, organization);
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

/** GET /api/v1/organizations/:username. */
export const readOrganization: Operation = (context, req, res) => {
  const { organization, actions } = openOrganization(context, req);
  sendJson(res, 200, wireOrganization(context, organization, actions));
};

/** PUT /api/v1/organizations/:username: updates the profile. The name can't change, since it is part of box URLs. */
export const updateOrganization: Operation = async (context, req, res) => {
  const { organization, actions } = openOrganization(context, req, 'manage');
  const faults = new Faults();
  const { username, profile } = readOrganizationFields(req, faults);
  if (username !== undefined && username.toLowerCase() !== organization.name.toLowerCase())
    faults.add('Username cannot be changed');
  faults.refuseAny();
  if (profile !== undefined) await context.namespaces.setProfile(organization.id, profile);
  const changed = { ...organization, profile: profile ?? organization.profile };
  sendJson(res, 200, wireOrganization(context, changed, actions));
};

/** The wire form of an organization. Only callers who may read its private boxes see its members. */
function wireOrganization(
  context: Context,
  organization: StoredNamespace,
  actions: readonly NamespaceAction[],
) {
  return {
    username: organization.name,
    profile_html: renderMarkdown(organization.profile),
    profile_markdown: organization.profile,
    created_at: wireTime(organization.createdTime),
    actions,
    members: actions.includes('read') ? wireMembers(context, organization.id) : null,
  };
}

function wireMembers(context: Context, organizationId: string) {
  return context.members.list(organizationId).flatMap(({ accountId, role, createdTime }) => {
    const account = context.accounts.get(accountId);
    if (account === undefined) return [];
    return [
      {
        username: account.loginName,
        full_name: account.fullName,
        role,
        created_at: wireTime(createdTime),
      },
    ];
  });
}
