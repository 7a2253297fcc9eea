import type { ServerProduct } from '@gatehouse/api-types/console/session';
import { health } from '@gatehouse/api-types/services/secrets-server';
import type { Clock } from '@gatehouse/service-kit/clock';
import * as z from 'zod/mini';
import type { Guard } from '#ground/call.ts';
import { buildPath } from '../path.ts';
import { isAnswer, ServiceError } from '../service-error.ts';
import type { ServiceAnswer, ServiceRequest, Transport } from '../transport.ts';
import { errorOf } from './errors.ts';

export { isAnswer };

/** The mount for passwords if the configuration names none. */
export const usualPasswordMount = 'userpass';

/** A secrets server as configured for one environment. */
export interface SecretsServer {
  readonly transport: Transport;
  /** Sent with every request that accepts one; undefined for the root namespace. */
  readonly namespace: string | undefined;
  /** The mount of the userpass or ldap auth method for signing in with a password. */
  readonly passwordMount: string;
  readonly clock: Clock;
}

/** A secrets server, called with a user's token. */
export type SecretsCaller = ReturnType<typeof callAs>;

/** A path that a valid token may read: its own lookup or, if its policies deny that, the list of mounts. */
export type LifeSign = 'auth/token/lookup-self' | 'sys/internal/ui/mounts';

/** The user's token, and what is sent with each of their requests. */
export interface SecretsCallerOptions {
  /** Absent for requests that need no token. */
  readonly token?: string;
  /** The path that distinguishes an expired token from a missing right, as any valid token may read it. */
  readonly lifeSign?: LifeSign;
  readonly guard?: Guard | undefined;
  readonly signal?: AbortSignal;
  /** Called when the server no longer accepts the token. */
  readonly onRefused?: () => Promise<void>;
}

/** Calls the server with a user's token, or without one. */
export function callAs(server: SecretsServer, options: SecretsCallerOptions) {
  const { transport } = server;
  const headers = {
    ...namespaceOf(server),
    ...(options.token !== undefined && { 'x-vault-token': options.token }),
  };
  /** Whether the token is still valid: checked once for all denied requests of a call. */
  let alive: Promise<boolean> | undefined;
  return {
    transport,
    /** The current time in milliseconds since the epoch. */
    now: (): number => server.clock.now(),
    /**
     * Sends a request with the user's token.
     * @param also statuses besides 200–299 whose answer is returned
     * @throws ServiceError for everything else
     */
    async send(request: Omit<ServiceRequest, 'headers'>, ...also: readonly number[]): Promise<ServiceAnswer> {
      const answer = await ask(transport, {
        ...request,
        headers,
        guard: options.guard,
        ...(request.method === 'GET' && options.signal !== undefined && { signal: options.signal }),
      });
      if (answer.status < 300 || also.includes(answer.status)) return answer;
      if (answer.status === 403 && options.lifeSign !== undefined) {
        alive ??= isAlive(transport, headers, options.lifeSign);
        if (!(await alive)) {
          await options.onRefused?.();
          throw new ServiceError(
            'not-connected',
            'The secrets server no longer accepts the token. Sign in to it again.',
            aboutOf(transport),
            { delivery: 'answered', status: 403 },
          );
        }
      }
      throw await failureOf(server, answer);
    },
  };
}

/**
 * Sends a request without a token.
 * @param also statuses besides 200–299 whose answer is returned
 * @throws ServiceError for everything else
 */
export async function callAnonymously(
  server: SecretsServer,
  request: Omit<ServiceRequest, 'headers'>,
  ...also: readonly number[]
): Promise<ServiceAnswer> {
  const answer = await ask(server.transport, { ...request, headers: namespaceOf(server) });
  if (answer.status < 300 || also.includes(answer.status)) return answer;
  throw await failureOf(server, answer);
}

/** The server's current state, from the status of its health. */
export interface ServerState {
  readonly state: 'active' | 'standby' | 'sealed' | 'not-initialized';
  readonly version: string | null;
  /** The server software, as far as the health and version show it. */
  readonly product: ServerProduct | null;
}

/** The deadline for a health check, in milliseconds. */
const healthDeadline = 3_000;

/** Reads the server's health. @throws ServiceError if it doesn't respond */
export async function readHealth({ transport }: Pick<SecretsServer, 'transport'>): Promise<ServerState> {
  // With these parameters a standby answers 200 and says so. One that doesn't know them answers 429.
  const query = { standbyok: true, perfstandbyok: true };
  const answer = await transport
    .send({
      method: 'GET',
      path: buildPath(`${transport.prefix}/v1/sys/health`, [], { query }),
      deadlineMs: healthDeadline,
    })
    .catch((error: unknown) => {
      if (isAnswer(error, 429)) return undefined;
      throw error;
    });
  if (answer === undefined) return { state: 'standby', version: null, product: null };
  const told = z.safeParse(health, answer.body);
  const version = told.success && told.data.version !== '' ? told.data.version : null;
  const product = told.success ? productOf(told.data) : null;
  switch (answer.status) {
    case 503:
      return { state: 'sealed', version, product };
    case 501:
      return { state: 'not-initialized', version, product };
    case 472:
    case 473:
      return { state: 'standby', version, product };
    default:
      if (answer.status < 300 && told.success) {
        return { state: told.data.standby ? 'standby' : 'active', version, product };
      }
      throw errorOf(answer, transport);
  }
}

/**
 * Vault's versions begin with 1 and report an edition; OpenBao's begin with 2 and don't. The built-in server's begin
 * with 0, as Vault's did before 2018.
 */
function productOf({ version, enterprise }: z.output<typeof health>): ServerProduct | null {
  const major = /^v?(\d+)\./.exec(version)?.[1];
  if (major === undefined) return null;
  if (major === '0') return 'built-in';
  return major === '1' || typeof enterprise === 'boolean' ? 'vault' : 'openbao';
}

/** Sends a request. A standby that forwards no requests answers with a redirect. */
async function ask(transport: Transport, request: ServiceRequest): Promise<ServiceAnswer> {
  try {
    return await transport.send(request);
  } catch (error) {
    if (isAnswer(error, 301, 302, 303, 307, 308)) {
      throw new ServiceError(
        'service-standby',
        "This secrets server is on standby and doesn't forward requests to the active server.",
        { ...aboutOf(transport), cause: error },
        { delivery: 'not-sent', status: error.serviceStatus ?? 307 },
      );
    }
    throw error;
  }
}

/** The error of a failed request. A 503 has several causes, which the server's health distinguishes. */
async function failureOf(server: SecretsServer, answer: ServiceAnswer): Promise<ServiceError> {
  const { transport } = server;
  if (answer.status !== 503) return errorOf(answer, transport);
  const found = await readHealth(server).catch(() => undefined);
  const outcome = { delivery: 'answered', status: 503 } as const;
  if (found?.state === 'sealed') {
    return new ServiceError(
      'service-sealed',
      'The secrets server is sealed: nothing can be read or written until an operator unseals it.',
      aboutOf(transport),
      outcome,
    );
  }
  if (found?.state === 'standby') {
    return new ServiceError(
      'service-standby',
      'This secrets server is on standby, and no server of its cluster is active at the moment.',
      aboutOf(transport),
      outcome,
    );
  }
  return errorOf(answer, transport);
}

async function isAlive(
  transport: Transport,
  headers: Readonly<Record<string, string>>,
  lifeSign: LifeSign,
): Promise<boolean> {
  const path = buildPath(`${transport.prefix}/v1/${lifeSign}`);
  const answer = await ask(transport, { method: 'GET', path, headers });
  return answer.status !== 403;
}

function namespaceOf({ namespace }: SecretsServer): Record<string, string> {
  return namespace === undefined ? {} : { 'x-vault-namespace': namespace };
}

function aboutOf({ environment, service }: Transport) {
  return { environment, service };
}
