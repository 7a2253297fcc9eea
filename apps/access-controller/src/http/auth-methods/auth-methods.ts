import { accountLimits, type Role } from '@gatehouse/service-kit/accounts';
import { clientAddress } from '@gatehouse/service-kit/client-address';
import { sendJson } from '@gatehouse/service-kit/http';
import { passwordMethodId } from '../../domain/auth-token.ts';
import { allowedIn, allowedOn } from '../../domain/permissions.ts';
import { FieldFaults, Refusal, notFound } from '../../domain/refusal.ts';
import { globalScopeId } from '../../domain/scope.ts';
import { ownTokenActions } from '../auth-tokens/auth-tokens.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireOn, findCaller } from '../caller.ts';
import type { Operation, Context } from '../context.ts';
import { readGlobalList } from '../global-list.ts';
import { globalSummary } from '../global-scope.ts';
import { pathId } from '../path-id.ts';
import { wireAuthToken } from '../wire/auth-token.ts';
import { wireTime } from '../wire/time.ts';

/** POST /v1/auth-methods/{id}:authenticate: issues a token for a login name and a password. Requires no token. */
export const authenticate: Operation = async (context, req, res) => {
  const id = pathId(req, 'ampw');
  const faults = new FieldFaults();
  const members = new MemberReader(readObject(req), faults);
  const command = members.string('command') ?? '';
  const type = members.string('type') ?? '';
  const attributes = new MemberReader(members.object('attributes') ?? {}, faults, 'attributes.');
  const loginName = attributes.string('login_name') ?? '';
  const password = attributes.string('password') ?? '';
  if (command !== 'login')
    faults.add('command', 'Invalid command for "password" auth type: it must be "login".');
  if (type !== '' && type !== 'token') faults.add('type', 'The only accepted type is "token".');
  if (loginName === '') faults.add('attributes.login_name', 'This is a required field.');
  if (password === '') faults.add('attributes.password', 'This is a required field.');
  faults.refuseAny();
  if (id !== passwordMethodId) throw notFound();

  const account = await context.accounts.verifyPassword(loginName, password, clientAddress(req));
  if (account === undefined) throw new Refusal('sign-in failed', 'Unable to authenticate.');
  const now = context.clock.now();
  await context.tokens.removeExpired(now);
  const { record, token } = await context.tokens.issue({
    userId: account.id,
    passwordVersion: account.passwordVersion,
    createdTime: now,
    lastUsedTime: now,
    expirationTime: now + context.lifetimes.timeToLive,
  });
  const answer = wireAuthToken(record, globalSummary(context), ownTokenActions);
  sendJson(res, 200, { command: 'login', type: 'token', attributes: { ...answer, token } });
};

/** The password auth method as a resource. It has the times of the global scope, and never changes. */
export function passwordMethod(
  context: Context,
  actions: readonly string[],
  role: Role | null,
): Readonly<Record<string, unknown>> {
  const created = wireTime(context.scopes.get(globalScopeId)?.createdTime ?? context.clock.now());
  return {
    id: passwordMethodId,
    scope_id: globalScopeId,
    scope: globalSummary(context),
    name: 'password',
    description: 'Sign-in with login name and password',
    created_time: created,
    updated_time: created,
    version: 1,
    type: 'password',
    is_primary: true,
    attributes: {
      min_login_name_length: accountLimits.minLoginName,
      min_password_length: accountLimits.minPassword,
    },
    authorized_actions: actions,
    authorized_collection_actions: role === null ? {} : { accounts: allowedIn('account', role) },
  };
}

/** GET /v1/auth-methods/{id} */
export const getAuthMethod: Operation = (context, req, res) => {
  const { role } = requireOn(context, req, 'auth-method', 'read');
  const id = pathId(req, 'ampw');
  if (id !== passwordMethodId) throw notFound();
  sendJson(res, 200, passwordMethod(context, allowedOn('auth-method', role), role));
};

/** GET /v1/auth-methods: the ways to sign in. Requires no token. */
export const listAuthMethods: Operation = async (context, req, res) => {
  const answer = await readGlobalList(context, req);
  const role = findCaller(context, req)?.role ?? null;
  const actions = role === null ? ['authenticate'] : allowedOn('auth-method', role);
  sendJson(res, 200, await answer([passwordMethod(context, actions, role)], (method) => method));
};
