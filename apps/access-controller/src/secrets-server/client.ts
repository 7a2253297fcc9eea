/**
 * Requests to a secrets server with the API of HashiCorp Vault (Vault, OpenBao, and this installation's own), with
 * deadlines, a size limit and no redirects.
 */
import { errorCode } from '@gatehouse/service-kit/error-code';
import { hasMoreMembers, isDeeper } from '@gatehouse/service-kit/json-scan';
import { lookupInTurn } from '@gatehouse/service-kit/lookup-in-turn';
import { isJsonObject, parseExactJson, textOfExact } from '@gatehouse/service-kit/parse-json';
import { boundAnswers } from '@gatehouse/service-kit/piece-bound';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import { NoTurn, turns, turnsByKey } from '@gatehouse/service-kit/turns';
import { Client, errors } from 'undici';
import { maxSecretBytes } from '../domain/text.ts';
import type { Connection, ConnectionSecrets } from '../domain/vault-store/connection.ts';
import { SecretsServerFailure } from '../domain/vault-store/failure.ts';
import type { Answered } from '../domain/vault-store/mapping.ts';
import type { TokenFacts } from '../domain/vault-store/token.ts';

/** Limits of each request. */
export interface SecretsServerLimits {
  /** Time to connect, in milliseconds. */
  readonly connectMs: number;
  /** Time for a whole call, in milliseconds. */
  readonly callMs: number;
  /** Most bytes of an answer. */
  readonly answerBytes: number;
  /** Cancels pending requests. */
  readonly signal?: AbortSignal;
}

export const defaultLimits: SecretsServerLimits = {
  connectMs: 3_000,
  callMs: 10_000,
  // A target has up to 150 libraries, and their credentials stay in memory until the last one answers.
  answerBytes: maxSecretBytes,
};

/** Data that a path issued. */
export interface Issued {
  readonly data: Answered;
  /** Undefined if nothing needs to be revoked. `ttl` is in seconds. */
  readonly lease: { readonly id: string; readonly renewable: boolean; readonly ttl: number } | undefined;
}

/** A secrets server, with a token. All calls throw SecretsServerFailure unless the answer is usable. */
export interface SecretsServer {
  lookupSelf(): Promise<TokenFacts>;
  /** @returns the token's new time to live, in seconds */
  renewSelf(): Promise<number>;
  revokeSelf(): Promise<void>;
  /** The token's capabilities at each path. */
  capabilitiesSelf(paths: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Reads credentials from a path. @param body JSON of a POST */
  issue(method: 'GET' | 'POST', path: string, body: string): Promise<Issued>;
  /** @returns the lease's new time to live, in seconds */
  renewLease(leaseId: string): Promise<number>;
  revokeLease(leaseId: string): Promise<void>;
}

/**
 * Turns of requests that users wait for, up to 150 per target. No account blocks others, neither across all servers
 * nor at one.
 */
const waiting = { mostOwn: 200, mostWaiting: 2_000, waitMs: defaultLimits.callMs };
const inTurn = turns({ atOnce: 128, ownAtOnce: 16, ...waiting });
const atServer = turnsByKey({ atOnce: 8, ownAtOnce: 4, ...waiting });

/** Connects to a secrets server in a user's turn. @throws SecretsServerFailure `timeout` if no turn comes in time */
export async function inTurnAtServer<Result>(
  userId: string,
  connection: Connection,
  secrets: ConnectionSecrets,
  limits: SecretsServerLimits,
  work: (server: SecretsServer) => Promise<Result>,
): Promise<Result> {
  try {
    return await inTurn(userId, () =>
      atServer(new URL(connection.address).origin, userId, () =>
        withSecretsServer(connection, secrets, limits, work),
      ),
    );
  } catch (error) {
    throw error instanceof NoTurn ? new SecretsServerFailure('timeout', error) : error;
  }
}

/** Connects to a secrets server for some work, and disconnects afterwards. */
export async function withSecretsServer<Result>(
  connection: Connection,
  secrets: ConnectionSecrets,
  limits: SecretsServerLimits,
  work: (server: SecretsServer) => Promise<Result>,
): Promise<Result> {
  const { origin, pathname } = new URL(connection.address);
  const client = new Client(origin, {
    headersTimeout: limits.callMs,
    bodyTimeout: limits.callMs,
    maxResponseSize: limits.answerBytes,
    connect: {
      timeout: limits.connectMs,
      lookup: lookupInTurn,
      rejectUnauthorized: !connection.tlsSkipVerify,
      ...(connection.caCert !== '' && { ca: connection.caCert }),
      ...(connection.tlsServerName !== '' && { servername: connection.tlsServerName }),
      ...(connection.clientCertificate !== '' && {
        cert: connection.clientCertificate,
        key: secrets.clientCertificateKey,
      }),
    },
  }).compose(boundAnswers);
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'gatehouse-access-controller',
    'x-vault-request': 'true',
    'x-vault-token': secrets.token,
    ...(connection.namespace !== '' && { 'x-vault-namespace': connection.namespace }),
  };
  const prefix = `${trimEndSlashes(pathname)}/v1/`;
  const send = async (method: 'GET' | 'POST', path: string, body?: string): Promise<Answered> => {
    const deadline = AbortSignal.timeout(limits.callMs);
    try {
      const answer = await client.request({
        method,
        path: prefix + path.split('/').map(encodeURIComponent).join('/'),
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        body: body ?? null,
        signal: limits.signal === undefined ? deadline : AbortSignal.any([deadline, limits.signal]),
      });
      return read(answer.statusCode, await answer.body.text());
    } catch (error) {
      throw error instanceof SecretsServerFailure ? error : networkFailure(error, deadline.aborted);
    }
  };
  const write = (path: string, body: object): Promise<Answered> => send('POST', path, JSON.stringify(body));
  try {
    return await work({
      async lookupSelf() {
        const data = object((await send('GET', 'auth/token/lookup-self'))['data']);
        return {
          renewable: data['renewable'] === true,
          orphan: data['orphan'] === true,
          period: seconds(data['period']),
          ttl: seconds(data['ttl']),
        };
      },
      async renewSelf() {
        const ttl = seconds(object((await write('auth/token/renew-self', {}))['auth'])['lease_duration']);
        // A token renewed for no time can't be kept.
        if (ttl === 0) throw new SecretsServerFailure('bad-answer');
        return ttl;
      },
      async revokeSelf() {
        await write('auth/token/revoke-self', {});
      },
      async capabilitiesSelf(paths) {
        const answer = await write('sys/capabilities-self', { paths });
        const data = object(answer['data'] ?? answer);
        return new Map(paths.map((path) => [path, texts(data[path])]));
      },
      async issue(method, path, body) {
        const answer = await send(method, path, method === 'POST' ? body || '{}' : undefined);
        const { lease_id: id } = answer;
        const data = object(answer['data']);
        return {
          data,
          lease:
            typeof id === 'string' && id !== ''
              ? { id, renewable: answer['renewable'] === true, ttl: seconds(answer['lease_duration']) }
              : undefined,
        };
      },
      renewLease: async (lease_id) =>
        seconds((await write('sys/leases/renew', { lease_id }))['lease_duration']),
      async revokeLease(lease_id) {
        await write('sys/leases/revoke', { lease_id });
      },
    });
  } finally {
    await client.destroy();
  }
}

function read(status: number, text: string): Answered {
  if (status >= 200 && status < 300) return text === '' ? {} : object(parse(text));
  if (status === 403) throw new SecretsServerFailure('forbidden');
  if (status === 404) throw new SecretsServerFailure('not-found');
  if (status === 429) throw new SecretsServerFailure('rate-limited');
  if (status >= 400 && status < 500) throw new SecretsServerFailure('refused');
  // A gateway also answers 503, for an unreachable server; a sealed server's 503 has Vault's form of errors.
  if (status === 503) throw new SecretsServerFailure(/"errors"\s*:/.test(text) ? 'sealed' : 'unreachable');
  throw new SecretsServerFailure(status === 502 || status === 504 ? 'unreachable' : 'bad-answer');
}

/** The deepest nesting of an answer; `answerMembers` is the most members and elements. */
const answerDepth = 64;
const answerMembers = 10_000;

function parse(text: string): unknown {
  if (isDeeper(text, answerDepth) || hasMoreMembers(text, answerMembers))
    throw new SecretsServerFailure('bad-answer');
  try {
    return parseExactJson(text);
  } catch {
    throw new SecretsServerFailure('bad-answer');
  }
}

function object(value: unknown): Answered {
  if (isJsonObject(value)) return value;
  throw new SecretsServerFailure('bad-answer');
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The longest duration that is believed, in seconds: 100 years. A time that is stored and sent must remain valid. */
const longestSeconds = 100 * 365 * 86_400;

/** Whole seconds in an answer: a number, or for a period possibly a number as text. */
function seconds(value: unknown): number {
  const number = Number(textOfExact(value));
  return number > 0 ? Math.min(Math.ceil(number), longestSeconds) : 0;
}

function networkFailure(error: unknown, late: boolean): SecretsServerFailure {
  const code = errorCode(error);
  if (
    late ||
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  ) {
    return new SecretsServerFailure('timeout', error);
  }
  if (
    error instanceof errors.ResponseExceededMaxSizeError ||
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.HTTPParserError ||
    error instanceof errors.ResponseContentLengthMismatchError
  ) {
    return new SecretsServerFailure('bad-answer', error);
  }
  const certificate = /^(?:CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/.test(
    code ?? '',
  );
  return new SecretsServerFailure(certificate ? 'untrusted' : 'unreachable', error);
}
