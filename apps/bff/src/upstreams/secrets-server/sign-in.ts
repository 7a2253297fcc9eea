import { createHash } from 'node:crypto';
import type { Credentials, ServerProduct } from '@gatehouse/api-types/console/session';
import { auth, ownToken } from '@gatehouse/api-types/services/secrets-server';
import type { Clock } from '@gatehouse/service-kit/clock';
import { ProblemError } from '#ground/problem.ts';
import { noRole } from '#ground/service-nouns.ts';
import { tokenAccount, type GrantedToken } from '../granted-token.ts';
import { buildPath, isSegment, namesIn } from '../path.ts';
import { ServiceError } from '../service-error.ts';
import {
  callAnonymously,
  callAs,
  isAnswer,
  readHealth,
  type LifeSign,
  type SecretsServer,
} from './client.ts';
import { errorOf, refusalTexts } from './errors.ts';
import { whyRefused, wrongPassword } from './sign-in-refusals.ts';

/** Prefix of the IDs of tokens that users brought themselves, which the console must not revoke. */
const brought = 'brought:';
/** Prefix of the IDs of tokens that may not look themselves up. */
const unseen = 'unseen:';

/** The path that shows whether a token is still valid. */
export function lifeSignOf(tokenId: string): LifeSign {
  return tokenId.startsWith(unseen) || tokenId.startsWith(`${brought}${unseen}`)
    ? 'sys/internal/ui/mounts'
    : 'auth/token/lookup-self';
}

/**
 * Signs a user in.
 * @throws ProblemError `sign-in-failed`, `two-factor-unsupported`; ServiceError if the server doesn't respond
 */
export function signIn(server: SecretsServer, credentials: Credentials): Promise<GrantedToken> {
  return credentials.method === 'password'
    ? signInWithPassword(server, credentials.login_name, credentials.password)
    : signInWithToken(server, credentials.token.trim());
}

/** Statuses of a refused password, or of an auth method that fails. */
const refusing = [400, 401, 403, 404, 500];

async function signInWithPassword(
  server: SecretsServer,
  loginName: string,
  password: string,
): Promise<GrantedToken> {
  const { transport, passwordMount } = server;
  // The login name is a path segment here, so a name that can't be one doesn't exist.
  if (!isSegment(loginName)) throw failed(wrongPassword, server);
  const request = {
    method: 'POST',
    path: buildPath(`${transport.prefix}/v1/auth`, [...namesIn(passwordMount), 'login', loginName]),
    body: { password },
  } as const;
  const answer = await callAnonymously(server, request, ...refusing);
  if (answer.status >= 300) {
    if (/\bno role\b/.test(refusalTexts(answer))) throw noRole(aboutOf(server));
    const why = whyRefused(answer, server);
    if (why === undefined) throw errorOf(answer, transport);
    throw failed(why, server);
  }
  const { auth: granted } = await transport.parse(auth, answer);
  const token = granted.client_token;
  // The password was right, but the server also requires a second factor: `mfa_requirement` replaces the token.
  if (token === '' || granted.mfa_requirement) {
    throw new ProblemError(
      'two-factor-unsupported',
      "Your password is right, but the secrets server also requires a second factor, which the console doesn't support yet. Sign in on the command line, then sign in here with the token that you get there.",
      aboutOf(server),
    );
  }
  const accessor = granted.accessor || idOf(token);
  const name = granted.metadata['username'] ?? loginName;
  return {
    token,
    tokenId: (await looksUp(server, token)) ? accessor : `${unseen}${accessor}`,
    accountId: granted.entity_id || `${passwordMount}/${name}`,
    accountName: name,
    loginName: name,
    expiresAt: endOf(granted.lease_duration, server.clock),
  };
}

async function signInWithToken(server: SecretsServer, token: string): Promise<GrantedToken> {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw failed(
      "This isn't a secrets server token: a token has no spaces or line breaks. Paste it again.",
      server,
    );
  const { transport } = server;
  const caller = callAs(server, { token });
  const refused = (error: unknown): never => {
    if (isAnswer(error, 400, 401, 403)) {
      throw failed("The secrets server doesn't accept this token.", server);
    }
    throw error;
  };
  const answer = await caller
    .send({ method: 'GET', path: ownTokenPath(server, 'lookup-self') }, 403)
    .catch(refused);
  if (answer.status === 403) {
    // The token's policies may not let it look itself up. Every valid token may list the mounts.
    const path = buildPath(`${transport.prefix}/v1/sys/internal/ui/mounts`);
    await caller.send({ method: 'GET', path }).catch(refused);
    const id = idOf(token);
    return {
      token,
      tokenId: `${brought}${unseen}${id}`,
      accountId: id,
      // The creator of such tokens is unknown, so all of them count as one account.
      ownerId: tokenAccount('', id),
      accountName: 'token',
      loginName: 'token',
      expiresAt: null,
    };
  }
  const { data } = await transport.parse(ownToken, answer);
  const name = data.meta['username'] || data.display_name || 'token';
  const id = data.accessor || idOf(token);
  return {
    token,
    tokenId: `${brought}${id}`,
    accountId: data.entity_id || id,
    ...(data.owner !== '' && { ownerId: tokenAccount(data.owner, id) }),
    accountName: name,
    loginName: name,
    expiresAt: endOf(data.ttl, server.clock),
  };
}

async function looksUp(server: SecretsServer, token: string): Promise<boolean> {
  try {
    await callAs(server, { token }).send({
      method: 'GET',
      path: ownTokenPath(server, 'lookup-self'),
    });
    return true;
  } catch (error) {
    if (isAnswer(error, 403)) return false;
    throw error;
  }
}

/**
 * Revokes a token that the console created by signing in. A token that no longer exists counts as revoked, and tokens
 * that users brought aren't revoked.
 * @throws ServiceError if it may still be valid
 */
export async function revoke(server: SecretsServer, tokenId: string, token: string): Promise<void> {
  if (tokenId.startsWith(brought)) return;
  await callAs(server, { token })
    .send({ method: 'POST', path: ownTokenPath(server, 'revoke-self') })
    .catch((error: unknown) => {
      // A batch token can't be revoked (400) and simply expires.
      if (!isAnswer(error, 400, 401, 403, 404)) throw error;
    });
}

/**
 * Renews a token if possible.
 * @returns its new expiry in milliseconds since the epoch; null if it can't be renewed or never expires
 * @throws ServiceError if the server doesn't respond
 */
export async function renew(server: SecretsServer, token: string): Promise<number | null> {
  const { transport } = server;
  try {
    const answer = await callAs(server, { token }).send({
      method: 'POST',
      path: ownTokenPath(server, 'renew-self'),
      body: {},
    });
    return endOf((await transport.parse(auth, answer)).auth.lease_duration, server.clock);
  } catch (error) {
    if (isAnswer(error, 400, 401, 403, 404)) return null;
    throw error;
  }
}

/** Checks whether the server responds, and its state. @throws ServiceError if it doesn't, or isn't initialized */
export async function probe(server: SecretsServer): Promise<{
  readonly version: string | null;
  readonly product: ServerProduct | null;
  readonly standby: boolean;
  readonly sealed: boolean;
}> {
  const { state, version, product } = await readHealth(server);
  if (state !== 'not-initialized')
    return { version, product, standby: state === 'standby', sealed: state === 'sealed' };
  throw new ServiceError(
    'service-unavailable',
    "The secrets server isn't initialized. Initialize it, then connect again.",
    aboutOf(server),
    { delivery: 'answered', status: 503 },
  );
}

function ownTokenPath({ transport }: SecretsServer, action: string): string {
  return buildPath(`${transport.prefix}/v1/auth/token`, [action]);
}

/** An ID for a token without an accessor. */
function idOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 32);
}

/** The expiry in milliseconds since the epoch; null if never. @param seconds left; 0 for no expiry */
function endOf(seconds: number, clock: Clock): number | null {
  return seconds > 0 ? clock.now() + seconds * 1000 : null;
}

function failed(detail: string, server: SecretsServer): ProblemError {
  return new ProblemError('sign-in-failed', detail, aboutOf(server));
}

function aboutOf({ transport: { environment, service } }: SecretsServer) {
  return { environment, service };
}
