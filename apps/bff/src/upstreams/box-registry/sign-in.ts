import { createHash } from 'node:crypto';
import type { Credentials } from '@gatehouse/api-types/console/session';
import {
  account,
  codeSent,
  token as wireToken,
  twoFactorNeeded,
} from '@gatehouse/api-types/services/box-registry';
import * as z from 'zod/mini';
import { ProblemError } from '#ground/problem.ts';
import { noRole } from '#ground/service-nouns.ts';
import type { GrantedToken } from '../granted-token.ts';
import { errorOf } from '../registry-error.ts';
import { readHealth } from '../registry-health.ts';
import type { ServiceAnswer } from '../transport.ts';
import { apiPath, type BoxRegistry } from './client.ts';

/** Prefix of the IDs of tokens that users brought themselves, which the console must not revoke. */
const brought = 'brought:';

/** The credentials that a registry requires for a new token. */
export interface PasswordLogin {
  readonly login: string;
  readonly password: string;
  readonly code?: string | undefined;
}

/** A token as the registry created it. */
export type MadeToken = z.output<typeof wireToken>;

/**
 * Signs a user in.
 * @throws ProblemError `sign-in-failed`, `two-factor-required`; ServiceError if the registry doesn't respond
 */
export function signIn(registry: BoxRegistry, credentials: Credentials): Promise<GrantedToken> {
  return credentials.method === 'password'
    ? signInWithPassword(registry, {
        login: credentials.login_name,
        password: credentials.password,
        code: credentials.two_factor_code,
      })
    : signInWithToken(registry, credentials.token.trim());
}

async function signInWithPassword(registry: BoxRegistry, login: PasswordLogin): Promise<GrantedToken> {
  const made = await makeToken(registry, login, 'Gatehouse console');
  const user = await userOf(registry, made.token);
  return granted(made.token, made.token_hash || idOf(made.token), user ?? { username: login.login });
}

async function signInWithToken(registry: BoxRegistry, token: string): Promise<GrantedToken> {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw failed(
      "This isn't a box registry token: a token has no spaces or line breaks. Paste it again.",
      registry,
    );
  const user = await userOf(registry, token);
  if (user === null) throw failed("The box registry doesn't accept this token.", registry);
  return granted(token, `${brought}${idOf(token)}`, user);
}

/** The token's owner. Some registries report only the name, or nothing. */
type User = Pick<z.output<typeof account>['user'], 'username'> & Partial<z.output<typeof account>['user']>;

function granted(token: string, tokenId: string, { username, id }: User): GrantedToken {
  return {
    token,
    tokenId,
    accountId: username,
    accountName: username,
    loginName: username,
    // The registry reports no expiry of tokens.
    expiresAt: null,
    ...(id !== undefined && { ownerId: id }),
  };
}

/**
 * Creates a token for a user.
 * @throws ProblemError `sign-in-failed`, `two-factor-required`; ServiceError if the registry doesn't respond
 */
export async function makeToken(
  registry: BoxRegistry,
  { login, password, code }: PasswordLogin,
  description: string,
): Promise<MadeToken> {
  const { transport } = registry;
  const send = (withCode: boolean): Promise<ServiceAnswer> =>
    transport.send({
      method: 'POST',
      path: apiPath(registry, ['authenticate']),
      body: {
        user: { login, password },
        token: { description },
        ...(withCode && code !== undefined && { two_factor: { code } }),
      },
    });
  let answer = await send(true);
  // Registries answer the same to a wrong password and a wrong code. A request without the code shows which it is.
  if (answer.status === 401 && code !== undefined) answer = await send(false);
  if (answer.status < 300) return await transport.parse(wireToken, answer);
  throw signInFailure(registry, answer, code);
}

/** Sends a code to a user. @returns the destination, partly masked @throws the same errors as `makeToken` */
export async function requestCode(
  registry: BoxRegistry,
  { login, password }: Pick<PasswordLogin, 'login' | 'password'>,
  deliveryMethod: 'sms',
): Promise<string> {
  const { transport } = registry;
  const answer = await transport.send({
    method: 'POST',
    path: apiPath(registry, ['two-factor', 'request-code']),
    body: { user: { login, password }, two_factor: { delivery_method: deliveryMethod } },
  });
  if (answer.status < 300) return (await transport.parse(codeSent, answer)).two_factor.obfuscated_destination;
  if (answer.status === 422) {
    throw new ProblemError('invalid-request', "This account can't receive codes.", aboutOf(registry));
  }
  throw signInFailure(registry, answer, undefined);
}

function signInFailure(registry: BoxRegistry, answer: ServiceAnswer, code: string | undefined): Error {
  if (answer.status === 403 && /\bno role\b/.test(JSON.stringify(answer.body)))
    return noRole(aboutOf(registry));
  if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
    return failed('The login name or the password is wrong.', registry);
  }
  const needed = answer.status === 406 ? z.safeParse(twoFactorNeeded, answer.body) : undefined;
  if (needed?.success === true) {
    const { default_delivery_method, delivery_methods } = needed.data.two_factor;
    const refused = code !== undefined;
    return new ProblemError(
      'two-factor-required',
      refused
        ? 'This code is wrong or was already used. Enter a new one.'
        : 'This account has a second factor. Enter a code.',
      { ...aboutOf(registry), twoFactor: { default_delivery_method, delivery_methods, refused } },
    );
  }
  return errorOf(answer, registry.transport);
}

/** The name of a token's owner. @returns null if the registry doesn't accept the token @throws ServiceError */
export async function ownerOf(registry: BoxRegistry, token: string): Promise<string | null> {
  return (await userOf(registry, token))?.username ?? null;
}

async function userOf(registry: BoxRegistry, token: string): Promise<User | null> {
  const { transport } = registry;
  const answer = await transport.send({
    method: 'GET',
    path: apiPath(registry, ['authenticate']),
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status < 300) {
    const told = z.safeParse(account, answer.body);
    return told.success ? told.data.user : { username: '' };
  }
  if (answer.status === 401 || answer.status === 403) return null;
  throw errorOf(answer, transport);
}

/** Deletes a token. @returns false if it no longer existed @throws ServiceError if it may still be valid */
export async function deleteToken(registry: BoxRegistry, token: string): Promise<boolean> {
  const { transport } = registry;
  const answer = await transport.send({
    method: 'DELETE',
    path: apiPath(registry, ['authenticate']),
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status < 300) return true;
  if (answer.status === 401 || answer.status === 403) return false;
  throw errorOf(answer, transport);
}

/** Revokes a token that the console created by signing in. Tokens that users brought aren't revoked. */
export async function revoke(registry: BoxRegistry, tokenId: string, token: string): Promise<void> {
  if (!tokenId.startsWith(brought)) await deleteToken(registry, token);
}

/**
 * Checks whether the registry responds. The embedded registry reports its version with its health; others are sent a
 * search.
 * @throws ServiceError if it doesn't respond
 */
export async function probe(
  registry: BoxRegistry,
): Promise<{ readonly version: string | null; readonly storeReachable?: boolean }> {
  const { transport } = registry;
  if (registry.embedded) return readHealth(transport);
  const answer = await transport.send({
    method: 'GET',
    path: apiPath(registry, ['search'], { query: { limit: 1 } }),
  });
  // A registry that requires a token for searches still responds.
  if (answer.status < 300 || answer.status === 401 || answer.status === 403) return { version: null };
  throw errorOf(answer, transport);
}

/** An ID for a token that the registry gives none. */
export function idOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 32);
}

function failed(detail: string, registry: BoxRegistry): ProblemError {
  return new ProblemError('sign-in-failed', detail, aboutOf(registry));
}

function aboutOf({ transport: { environment, service } }: BoxRegistry) {
  return { environment, service };
}
