import { discovery } from '@gatehouse/api-types/services/module-registry';
import type { Clock } from '@gatehouse/service-kit/clock';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import type { Guard } from '#ground/call.ts';
import { buildPath } from '../path.ts';
import { errorOf } from '../registry-error.ts';
import { isAnswer, ServiceError } from '../service-error.ts';
import type { ServiceAnswer, ServiceRequest, Transport } from '../transport.ts';
import type { Archives } from './archives.ts';
import { ownUrlOf, type OwnAddresses } from './own-address.ts';

/** A module registry as configured for one environment. */
export interface ModuleRegistry extends OwnAddresses {
  readonly transport: Transport;
  /** Reads archives, whatever their location. */
  readonly archives: Archives;
  /** Whether this is the console's own registry, which reports its version with its health. */
  readonly embedded: boolean;
  readonly clock: Clock;
  /** Cached facts about the registry, each until a time in milliseconds since the epoch. */
  readonly known: {
    /** The discovered path of its modules. */
    discovered?: { readonly base: string; readonly until: number };
    /** Until when the registry is known to lack the embedded registry's additions to the protocol. */
    unmanagedUntil?: number;
  };
}

/** A module registry, called with a user's token. */
export type ModulesCaller = ReturnType<typeof callAs>;

/** A request whose path depends on the registry's service discovery. */
export interface ModulesRequest extends Omit<ServiceRequest, 'path' | 'headers'> {
  readonly at: Place;
  /** The ETag of the record that the request changes; undefined if the registry gave none. */
  readonly etag?: string | undefined;
}

/** The location of an operation: below the modules, their download metrics, or the tokens. */
export interface Place {
  readonly of: 'modules' | 'metrics' | 'tokens';
  readonly names: readonly string[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
}

/** The user's token, and what is sent with each of their requests. */
export interface ModulesCallerOptions {
  readonly token: string;
  readonly username: string;
  readonly guard?: Guard | undefined;
  readonly signal?: AbortSignal;
  /** Called when the registry no longer accepts the token. */
  readonly onRefused?: () => Promise<void>;
}

/** Calls the registry with a user's token. */
export function callAs(registry: ModuleRegistry, options: ModulesCallerOptions) {
  const { transport } = registry;
  const headers = { authorization: `Bearer ${options.token}` };
  return {
    registry,
    transport,
    /** The account's name at the registry. */
    username: options.username,
    /** Sends a request with the user's token. @throws ServiceError unless the answer is 200–299 */
    async send({ at, etag, ...request }: ModulesRequest): Promise<ServiceAnswer> {
      const path = pathTo(registry, await discover(registry, { headers }), at);
      const answer = await transport.send({
        ...request,
        path,
        headers: { ...headers, ...(etag !== undefined && { 'if-match': etag }) },
        guard: options.guard,
        ...(request.method === 'GET' && options.signal !== undefined && { signal: options.signal }),
      });
      if (answer.status < 300) return answer;
      if (answer.status === 401) {
        if (await isAlive(registry, headers)) throw errorOf({ status: 403 }, transport);
        await options.onRefused?.();
        throw new ServiceError(
          'not-connected',
          'The module registry no longer accepts the token. Sign in to it again.',
          aboutOf(registry),
          { delivery: 'answered', status: 401 },
        );
      }
      throw errorOf(answer, transport);
    },
  };
}

/** The environment and the service that a problem is about. */
export function aboutOf({ transport: { environment, service } }: Pick<ModuleRegistry, 'transport'>) {
  return { environment, service };
}

/** How long a discovered path is used, in milliseconds. */
const believedFor = 5 * 60_000;

/**
 * The path of the registry's modules, without a trailing slash. The discovered host must be the registry's own, because
 * the token is sent to it.
 * @throws ServiceError `bad-answer` for another host, or if no module registry is found
 */
export async function discover(
  registry: ModuleRegistry,
  request: Pick<ServiceRequest, 'headers'> = {},
): Promise<string> {
  const { clock, known } = registry;
  const { discovered } = known;
  if (discovered !== undefined && discovered.until > clock.now()) return discovered.base;
  const base = await askWhere(registry, request);
  known.discovered = { base, until: clock.now() + believedFor };
  return base;
}

/** Discovers like `discover`, without the cache. */
export async function askWhere(
  registry: ModuleRegistry,
  request: Pick<ServiceRequest, 'headers'> = {},
): Promise<string> {
  const { transport, ownUrl } = registry;
  const path = `${transport.prefix}/.well-known/terraform.json`;
  const answer = await orNull(() => transport.send({ method: 'GET', path, ...request }), 404);
  const { status } = answer ?? { status: 404 };
  // Without service discovery, the configured address is that of the modules.
  if (status === 404 && transport.prefix !== '') return transport.prefix;
  if (answer === null || status === 404)
    throw notOne(
      registry,
      'No module registry answers at this address: it serves no /.well-known/terraform.json.',
    );
  if (status >= 300) throw errorOf({ status }, transport);
  const { 'modules.v1': named } = await transport.parse(discovery, answer);
  const from = new URL(path, ownUrl);
  const url = URL.canParse(named, from) ? ownUrlOf(registry, new URL(named, from)) : undefined;
  if (url !== undefined && url.search === '' && url.hash === '') return trimEndSlashes(url.pathname);
  throw notOne(
    registry,
    "The module registry's service discovery names another host for its modules. If that host is right, set url in the configuration to the discovered address.",
  );
}

/** The problem of a registry that can't be called at all. A status would apply to only one operation. */
function notOne(registry: ModuleRegistry, detail: string): ServiceError {
  return new ServiceError('bad-answer', detail, aboutOf(registry), { delivery: 'answered' });
}

/** The path of an operation. @throws ServiceError `not-found` if the registry can't have the operation */
export function pathTo(registry: ModuleRegistry, base: string, { of, names, query = {} }: Place): string {
  if (of === 'modules') return buildPath(base, names, { query });
  const root = /^(.*)\/v1\/modules$/.exec(base)?.[1];
  if (root === undefined) throw errorOf({ status: 404 }, registry.transport);
  return buildPath(of === 'metrics' ? `${root}/v2/modules` : `${root}/v1/tokens`, names, { query });
}

/** Some registries answer 401 when a valid token lacks permission, so the token is checked separately. */
async function isAlive(
  registry: ModuleRegistry,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> {
  const answer = await orNull(
    async () => {
      const path = pathTo(registry, await discover(registry, { headers }), { of: 'tokens', names: ['self'] });
      return registry.transport.send({ method: 'GET', path, headers });
    },
    ...notThere,
  );
  return answer !== null && answer.status < 300;
}

/** The statuses of registries that don't have an operation. */
export const notThere = [301, 302, 307, 308, 400, 404, 405, 406, 410, 501] as const;

/** Reads something; null if the answer has one of these statuses. */
export async function orNull<Found>(
  read: () => Promise<Found>,
  ...statuses: readonly number[]
): Promise<Found | null> {
  try {
    return await read();
  } catch (error) {
    if (isAnswer(error, ...statuses)) return null;
    throw error;
  }
}
