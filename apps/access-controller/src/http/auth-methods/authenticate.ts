import { clientAddress } from '@gatehouse/service-kit/client-address';
import { sendJson } from '@gatehouse/service-kit/http';
import { passwordMethodId } from '../../domain/auth-token.ts';
import { FieldFaults, Refusal, notFound } from '../../domain/refusal.ts';
import { ownTokenActions } from '../auth-tokens/own.ts';
import { MemberReader, readObject } from '../body.ts';
import type { Operation } from '../context.ts';
import { globalSummary } from '../global-scope.ts';
import { pathId } from '../path-id.ts';
import { wireAuthToken } from '../wire/auth-token.ts';

/** POST /v1/auth-methods/{id}:authenticate: a token for a login name and a password. Open to everyone. */
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
