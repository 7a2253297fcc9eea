import type { ServerProduct } from '@gatehouse/api-types/console/session';
import { health } from '@gatehouse/api-types/services/secrets-server';
import type { Clock } from '@gatehouse/service-kit/clock';
import * as z from 'zod/mini';
import type { Guard } from '#ground/call.ts';
import { buildPath } from '../path.ts';
import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer, ServiceRequest, Transport } from '../transport.ts';
import { errorOf } from './errors.ts';

/** Where passwords are checked when the configuration names no other mount. */
export const usualPasswordMount = 'userpass';

/** One secrets server, as one environment is configured with it. */
export interface SecretsServer {
  readonly transport: Transport;
  /** Sent with every request that may have one; undefined for the root namespace. */
  readonly namespace: string | undefined;
  /** Where people sign in with a password: the mount of a userpass or ldap auth method. */
  readonly passwordMount: string;
  readonly clock: Clock;
}

/** A secrets server, asked in the name of a person. */
export type SecretsCaller = ReturnType<typeof callAs>;

/** Itself; for one that may not look itself up the list of mounts, which every token that is alive gets. */
export type LifeSign = 'auth/token/lookup-self' | 'sys/internal/ui/mounts';

/** Whose token is used, and what goes along with each of its requests. */
export interface SecretsCallerOptions {
  /** Absent where what is asked for is told to anybody. */
  readonly token?: string;
  /** What the token may read while it is alive, which tells one that ended from a right that is missing. */
  readonly lifeSign?: LifeSign;
  readonly guard?: Guard | undefined;
  readonly signal?: AbortSignal;
  /** Told when the server does not accept the token any more. */
  readonly onRefused?: () => Promise<void>;
}

/** The server as a person with a token sees it, or anybody. */
export function callAs(server: SecretsServer, options: SecretsCallerOptions) {
  const { transport } = server;
  const headers = {
    ...namespaceOf(server),
    ...(options.token !== undefined && { 'x-vault-token': options.token }),
  };
  /** Whether the token is known to be alive: one look for all that is denied in a call. */
  let alive: Promise<boolean> | undefined;
  return {
    transport,
    /** The time, in milliseconds since the epoch. */
    now: (): number => server.clock.now(),
    /**
     * Sends a request with the person's token.
     * @param also statuses beside 200–299 whose answer is wanted
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
 * Asks without a token.
 * @param also statuses beside 200–299 whose answer is wanted
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

/** Whether an error is the server's answer with one of these statuses. */
export function isAnswer(error: unknown, ...statuses: readonly number[]): error is ServiceError {
  return (
    error instanceof ServiceError &&
    error.serviceStatus !== undefined &&
    statuses.includes(error.serviceStatus)
  );
}

/** What the server is at the moment, by the status of its health. */
export interface ServerState {
  readonly state: 'active' | 'standby' | 'sealed' | 'not-initialized';
  readonly version: string | null;
  /** What it is, as far as its health and version tell. */
  readonly product: ServerProduct | null;
}

/** How long a look at the server's health may take, in milliseconds. */
const healthDeadline = 3_000;

/** Asks how the server is. @throws ServiceError when it does not answer */
export async function readHealth({ transport }: Pick<SecretsServer, 'transport'>): Promise<ServerState> {
  // Asked so, a standby answers 200 and says what it is; one that does not know that answers 429, as to too many requests.
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
 * Vault counts from 1 and tells its edition; OpenBao began at 2 and has no editions. The built-in server is older than
 * either; Vault was, too, before 2018.
 */
function productOf({ version, enterprise }: z.output<typeof health>): ServerProduct | null {
  const major = /^v?(\d+)\./.exec(version)?.[1];
  if (major === undefined) return null;
  if (major === '0') return 'built-in';
  return major === '1' || typeof enterprise === 'boolean' ? 'vault' : 'openbao';
}

/** A redirect is what a standby answers that passes nothing on. */
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

/** A 503 has several reasons, which the server's health tells apart. */
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
