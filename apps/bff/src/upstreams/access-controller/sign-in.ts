import type { Credentials } from '@gatehouse/api-types/console/session';
import {
  authMethod,
  authToken,
  authenticated,
  health,
  listOf,
  user,
} from '@gatehouse/api-types/services/access-controller';
import { ProblemError } from '#ground/problem.ts';
import type { GrantedToken } from '../granted-token.ts';
import { buildPath } from '../path.ts';
import { callAnonymously, callAs, isAnswer, type AccessController } from './client.ts';

const authMethods = listOf(authMethod);

/** Signs a user in. @throws ProblemError `sign-in-failed`; ServiceError if the controller doesn't respond */
export function signIn(controller: AccessController, credentials: Credentials): Promise<GrantedToken> {
  return credentials.method === 'password'
    ? signInWithPassword(controller, credentials.login_name, credentials.password)
    : signInWithToken(controller, credentials.token);
}

async function signInWithPassword(
  controller: AccessController,
  loginName: string,
  password: string,
): Promise<GrantedToken> {
  const { transport } = controller;
  const methodId = controller.authMethodId ?? (await passwordMethod(controller));
  const answer = await callAnonymously(controller, {
    method: 'POST',
    path: buildPath(`${transport.prefix}/v1/auth-methods`, [methodId], { action: 'authenticate' }),
    body: { command: 'login', type: 'token', attributes: { login_name: loginName, password } },
  }).catch((error: unknown) => {
    // A controller answers 400 to a login name or password of an impossible form, which to the user is simply wrong.
    if (isAnswer(error, 400, 401, 403)) throw failed('The login name or the password is wrong.', controller);
    throw error;
  });
  const { attributes } = await transport.parse(authenticated, answer);
  const person = await personOf(controller, attributes.token, attributes.user_id, loginName);
  return {
    token: attributes.token,
    tokenId: attributes.id,
    accountId: attributes.user_id,
    ...person,
    expiresAt: timeOf(attributes.expiration_time),
  };
}

async function signInWithToken(controller: AccessController, token: string): Promise<GrantedToken> {
  const id = /^(at_[0-9A-Za-z]{1,64})_[0-9A-Za-z]{1,2048}$/.exec(token.trim())?.[1];
  if (id === undefined)
    throw failed('This isn\'t an access controller token. Those begin with "at_".', controller);
  const { transport } = controller;
  const answer = await callAs(controller, { token: token.trim() })
    .send({ method: 'GET', path: buildPath(`${transport.prefix}/v1/auth-tokens`, [id]) })
    .catch((error: unknown) => {
      if (isAnswer(error, 400, 401, 403, 404))
        throw failed("The access controller doesn't accept this token.", controller);
      throw error;
    });
  const stored = await transport.parse(authToken, answer);
  const person = await personOf(controller, token.trim(), stored.user_id, stored.user_id);
  return {
    token: token.trim(),
    tokenId: stored.id,
    accountId: stored.user_id,
    ...person,
    expiresAt: timeOf(stored.expiration_time),
  };
}

/** Revokes a token. A token that no longer exists counts as revoked. @throws ServiceError if it may still be valid */
export async function revoke(controller: AccessController, tokenId: string, token: string): Promise<void> {
  const path = buildPath(`${controller.transport.prefix}/v1/auth-tokens`, [tokenId]);
  await callAs(controller, { token })
    .send({ method: 'DELETE', path })
    .catch((error: unknown) => {
      if (!isAnswer(error, 401, 403, 404)) throw error;
    });
}

/**
 * Checks without a token whether the controller responds. The embedded controller reports its version with its health;
 * a Boundary reports neither without a token, so its auth methods are listed instead.
 * @throws ServiceError if it doesn't respond
 */
export async function probe(controller: AccessController): Promise<{ readonly version: string | null }> {
  const { transport } = controller;
  if (controller.embedded) {
    const answer = await callAnonymously(controller, { method: 'GET', path: '/health' });
    return { version: (await transport.parse(health, answer)).version ?? null };
  }
  const answer = await callAnonymously(controller, {
    method: 'GET',
    path: authMethodsPath(controller),
  });
  await transport.parse(authMethods, answer);
  return { version: null };
}

function authMethodsPath({ transport }: AccessController): string {
  return buildPath(`${transport.prefix}/v1/auth-methods`, [], {
    query: { scope_id: 'global', recursive: true },
  });
}

async function passwordMethod(controller: AccessController): Promise<string> {
  const { transport } = controller;
  const answer = await callAnonymously(controller, { method: 'GET', path: authMethodsPath(controller) });
  const { items } = await transport.parse(authMethods, answer);
  const methods = items.filter(({ type }) => type === 'password');
  const method =
    methods.find(({ is_primary }) => is_primary) ??
    methods.find(({ scope_id }) => scope_id === 'global') ??
    methods[0];
  if (method === undefined) {
    throw failed("The access controller doesn't offer password sign-in.", controller);
  }
  return method.id;
}

/**
 * The user's names, and whether they have a role. If the controller doesn't let users read their own record, both names
 * are the login name.
 */
async function personOf(
  controller: AccessController,
  token: string,
  userId: string,
  loginName: string,
): Promise<Pick<GrantedToken, 'accountName' | 'loginName' | 'hasRole'>> {
  try {
    const path = buildPath(`${controller.transport.prefix}/v1/users`, [userId]);
    const person = await controller.transport.parse(
      user,
      await callAs(controller, { token }).send({ method: 'GET', path }),
    );
    const login = person.login_name || loginName;
    return { accountName: person.full_name || person.name || login, loginName: login };
  } catch {
    const names = { accountName: loginName, loginName };
    return (await hasRole(controller, token)) === false ? { ...names, hasRole: false } : names;
  }
}

/** Whether a token's user may list any scope, as every role may; undefined if the controller doesn't say. */
export async function hasRole(controller: AccessController, token: string): Promise<boolean | undefined> {
  const path = buildPath(`${controller.transport.prefix}/v1/scopes`, [], {
    query: { scope_id: 'global', recursive: true, page_size: 1 },
  });
  try {
    await callAs(controller, { token }).send({ method: 'GET', path });
    return true;
  } catch (error) {
    return isAnswer(error, 403) ? false : undefined;
  }
}

function failed(detail: string, { transport: { environment, service } }: AccessController): ProblemError {
  return new ProblemError('sign-in-failed', detail, { environment, service });
}

function timeOf(text: string): number | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
