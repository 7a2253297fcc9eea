/** The tokens that a user has at an environment's secrets server, as far as the caller may look them up. */
import type { LockOutStep } from '@gatehouse/api-types/console/people';
import type { FoundToken } from '@gatehouse/api-types/services/secrets-server';
import { mapInOrder } from '#api/concurrently.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { loginNameKey } from '#session/people.ts';
import { serviceToken, type ServiceCall } from '#session/service-token.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { listAccessors, lookUpAccessor, revokeAccessor } from '#upstreams/secrets-server/tokens.ts';
import { secretsCaller } from './caller.ts';
import { orDenied } from './stored-secret.ts';

/** The tokens that are looked up or revoked concurrently. */
const tokensAtOnce = 8;

interface TokensOfPerson {
  readonly caller: SecretsCaller;
  readonly tokens: readonly FoundToken[];
  /** The number of the server's tokens that weren't looked up. */
  readonly unread: number;
  /** Whether the caller uses the same account there. */
  readonly isOwn: boolean;
}

/**
 * Finds the tokens that sign-ins with a password have created for this login name, in any spelling: some auth methods
 * report it as it was typed.
 * @param limit the tokens that are looked up at most, of all users
 * @returns null if the environment has no secrets server, or the caller isn't connected to it or may not list tokens
 * @throws ServiceError
 */
export async function tokensOfPerson(
  context: Context,
  call: ServiceCall,
  loginName: string,
  limit: number,
): Promise<TokensOfPerson | null> {
  const caller = await callerIfConnected(context, call);
  const accessors = caller && (await orDenied(listAccessors(caller)));
  if (caller === null || accessors === null || accessors === 'denied') return null;
  const mount = context.directory.secrets(call.params.environment).passwordMount;
  const { accountId } = await serviceToken(context, call, 'secrets');
  const key = loginNameKey(loginName);
  const isTheirs = (name: string | undefined): boolean => name !== undefined && loginNameKey(name) === key;
  const tokens: FoundToken[] = [];
  let unread = Math.max(0, accessors.length - limit);
  const look = (accessor: string) => orDenied(lookUpAccessor(caller, accessor));
  for await (const found of mapInOrder(accessors.slice(0, limit), look, tokensAtOnce)) {
    if (found === 'denied') unread += 1;
    // The server sets the path; the metadata of tokens created in other ways could name anyone.
    else if (found?.path.startsWith(`auth/${mount}/login/`) === true && isTheirs(found.meta['username']))
      tokens.push(found);
  }
  const isOwn = tokens.some(({ entity_id: entity }) => (entity || `${mount}/${loginName}`) === accountId);
  return { caller, tokens, unread, isOwn };
}

async function callerIfConnected(context: Context, call: ServiceCall): Promise<SecretsCaller | null> {
  try {
    return await secretsCaller(context, call);
  } catch (error) {
    if (error instanceof ProblemError && ['not-found', 'not-connected', 'no-access'].includes(error.code))
      return null;
    throw error;
  }
}

/** Revokes a user's tokens, as a step of a lock-out. */
export async function revokeTokens(
  context: Context,
  call: ServiceCall,
  loginName: string,
  limit: number,
): Promise<LockOutStep> {
  let count = 0;
  let problem: string | undefined;
  try {
    const found = await tokensOfPerson(context, call, loginName, limit);
    if (found === null)
      return {
        is_done: true,
        count,
        words:
          "Tokens at the secrets server may be left: you aren't connected to it, or aren't allowed to list them.",
      };
    const { caller, tokens, unread, isOwn } = found;
    if (isOwn)
      return {
        is_done: true,
        count,
        words: 'Your own account at the secrets server has this name, and keeps its tokens.',
      };
    const revoke = async ({ accessor }: FoundToken) =>
      revokeAccessor(caller, accessor).then(
        () => undefined,
        (error: unknown) => error,
      );
    for await (const error of mapInOrder(tokens, revoke, tokensAtOnce)) {
      if (error === undefined) count += 1;
      else if (error instanceof ProblemError) problem = error.message;
      else throw error;
    }
    if (unread > 0) problem ??= `${unread.toLocaleString('en')} of its tokens weren't looked up.`;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    problem = error.message;
  }
  const revoked = `${count} ${count === 1 ? 'token' : 'tokens'} at the secrets server revoked`;
  return problem === undefined
    ? { is_done: true, count, words: count === 0 ? 'No tokens at the secrets server.' : `${revoked}.` }
    : { is_done: false, count, words: `${revoked}, but some may be left. ${problem}` };
}
