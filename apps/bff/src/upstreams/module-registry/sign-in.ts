import { createHash } from 'node:crypto';
import type { Credentials } from '@gatehouse/api-types/console/session';
import {
  issuedToken,
  ownToken,
  type WireIssuedToken,
  type WireOwnToken,
} from '@gatehouse/api-types/services/module-registry';
import { ProblemError } from '#ground/problem.ts';
import { noRole } from '#ground/service-nouns.ts';
import type { GrantedToken } from '../granted-token.ts';
import { errorOf } from '../registry-error.ts';
import { readHealth } from '../registry-health.ts';
import { aboutOf, askWhere, discover, notThere, orNull, pathTo, type ModuleRegistry } from './client.ts';

/** Prefix of the IDs of tokens that users brought themselves, which the console must not revoke. */
const brought = 'brought:';

/** Signs a user in. @throws ProblemError `sign-in-failed`; ServiceError if the registry doesn't respond */
export async function signIn(registry: ModuleRegistry, credentials: Credentials): Promise<GrantedToken> {
  if (credentials.method === 'token') return signInWithToken(registry, credentials.token.trim());
  const { login_name, password } = credentials;
  const made = await makeToken(registry, { username: login_name, password }, 'Gatehouse console');
  return granted(made.token, made.id, (await ownerOf(registry, made.token)) ?? { username: login_name });
}

async function signInWithToken(registry: ModuleRegistry, token: string): Promise<GrantedToken> {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw failed(
      "This isn't a module registry token: a token has no spaces or line breaks. Paste it again.",
      registry,
    );
  const owner = await ownerOf(registry, token);
  const hash = createHash('sha256').update(token).digest('hex').slice(0, 32);
  if (owner !== null) return granted(token, `${brought}${hash}`, owner);
  // A registry that doesn't report the token's owner is sent a request that may require a valid token.
  await checkAccepted(registry, token);
  return granted(token, `${brought}${hash}`, { username: `token ${hash.slice(0, 12)}` });
}

function granted(
  token: string,
  tokenId: string,
  { username, account_id }: Pick<WireOwnToken, 'username'> & Partial<WireOwnToken>,
): GrantedToken {
  return {
    token,
    tokenId,
    accountId: username,
    accountName: username,
    loginName: username,
    // The registry reports no expiry of tokens.
    expiresAt: null,
    ...(account_id !== undefined && { ownerId: account_id }),
  };
}

/** Creates a token for a user. @throws ProblemError `sign-in-failed`; ServiceError if the registry doesn't respond */
export async function makeToken(
  registry: ModuleRegistry,
  account: { readonly username: string; readonly password: string },
  description: string,
): Promise<WireIssuedToken> {
  const { transport } = registry;
  const base = await discover(registry);
  const answer = await orNull(
    () =>
      transport.send({
        method: 'POST',
        path: pathTo(registry, base, { of: 'tokens', names: [] }),
        body: { ...account, description },
      }),
    404,
    405,
  );
  if (answer === null || answer.status === 404 || answer.status === 405)
    throw failed("This module registry doesn't accept passwords. Sign in with a token.", registry);
  if (answer.status < 300) return await transport.parse(issuedToken, answer);
  if (answer.status === 401) throw failed('The login name or the password is wrong.', registry);
  if (answer.status === 403) throw noRole(aboutOf(registry));
  throw errorOf(answer, transport);
}

/**
 * A token's owner.
 * @returns null if the registry reports owners of no tokens
 * @throws ProblemError `sign-in-failed` if the registry doesn't accept the token
 */
async function ownerOf(registry: ModuleRegistry, token: string): Promise<WireOwnToken | null> {
  const { transport } = registry;
  const headers = { authorization: `Bearer ${token}` };
  const base = await discover(registry, { headers });
  return orNull(
    async () => {
      const path = pathTo(registry, base, { of: 'tokens', names: ['self'] });
      const answer = await transport.send({ method: 'GET', path, headers });
      if (answer.status < 300) return await transport.parse(ownToken, answer);
      if (answer.status === 401 || answer.status === 403) throw notAccepted(registry);
      throw errorOf(answer, transport);
    },
    ...notThere,
    200,
  );
}

/** @throws ProblemError `sign-in-failed` if the registry refuses the token when asked for a list of modules */
async function checkAccepted(registry: ModuleRegistry, token: string): Promise<void> {
  const { transport } = registry;
  const headers = { authorization: `Bearer ${token}` };
  const path = pathTo(registry, await discover(registry, { headers }), {
    of: 'modules',
    names: [],
    query: { limit: 1 },
  });
  const answer = await orNull(() => transport.send({ method: 'GET', path, headers }), ...notThere);
  if (answer?.status === 401 || answer?.status === 403) throw notAccepted(registry);
}

/** Revokes a token that the console created by signing in. Tokens that users brought aren't revoked. */
export async function revoke(registry: ModuleRegistry, tokenId: string, token: string): Promise<void> {
  if (tokenId.startsWith(brought)) return;
  const { transport } = registry;
  const headers = { authorization: `Bearer ${token}` };
  const answer = await transport.send({
    method: 'DELETE',
    path: pathTo(registry, await discover(registry), { of: 'tokens', names: ['self'] }),
    headers,
  });
  if (answer.status < 300 || answer.status === 401 || answer.status === 403) return;
  throw errorOf(answer, transport);
}

/** Checks whether the registry responds. Only the embedded one reports its version. @throws ServiceError */
export async function probe(
  registry: ModuleRegistry,
): Promise<{ readonly version: string | null; readonly storeReachable?: boolean }> {
  if (registry.embedded) return readHealth(registry.transport);
  // A registry that requires a token for discovery still responds.
  await orNull(() => askWhere(registry), 401, 403);
  return { version: null };
}

function notAccepted(registry: ModuleRegistry): ProblemError {
  return failed("The module registry doesn't accept this token.", registry);
}

function failed(detail: string, registry: ModuleRegistry): ProblemError {
  return new ProblemError('sign-in-failed', detail, aboutOf(registry));
}
