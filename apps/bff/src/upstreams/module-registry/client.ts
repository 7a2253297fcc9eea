import { discovery } from '@gatehouse/api-types/services/module-registry';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Guard } from '#ground/call.ts';
import { buildPath } from '../path.ts';
import { errorOf } from '../registry-error.ts';
import { isAnswer, ServiceError } from '../service-error.ts';
import type { ServiceAnswer, ServiceRequest, Transport } from '../transport.ts';
import type { Archives } from './archives.ts';
import { ownUrlOf, type OwnAddresses } from './own-address.ts';

/** One module registry, as one environment is configured with it. */
export interface ModuleRegistry extends OwnAddresses {
  readonly transport: Transport;
  /** Reads archives, wherever they are. */
  readonly archives: Archives;
  /** Whether it is the console's own, which tells its version beside its health. */
  readonly embedded: boolean;
  readonly clock: Clock;
  /** What was found out about it, and until when that is believed. */
  readonly known: {
    /** Where it says that its operations are. */
    discovered?: { readonly base: string; readonly until: number };
    /** Until when it has nothing of what the embedded registry has beside the protocol. */
    unmanagedUntil?: number;
  };
}

/** A module registry, asked in the name of a person. */
export type ModulesCaller = ReturnType<typeof callAs>;

/** A request whose path follows from what the registry says of itself. */
export interface ModulesRequest extends Omit<ServiceRequest, 'path' | 'headers'> {
  readonly at: Place;
  /** The revision that the registry gave, where it gave one. */
  readonly etag?: string | undefined;
}

/** Where an operation is: below the modules, their numbers of downloads, or the tokens. */
export interface Place {
  readonly of: 'modules' | 'metrics' | 'tokens';
  readonly names: readonly string[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
}

/** Whose token is used, and what goes along with each of its requests. */
export interface ModulesCallerOptions {
  readonly token: string;
  readonly username: string;
  readonly guard?: Guard | undefined;
  readonly signal?: AbortSignal;
  /** Told when the registry does not accept the token any more. */
  readonly onRefused?: () => Promise<void>;
}

/** The registry as a person with a token sees it. */
export function callAs(registry: ModuleRegistry, options: ModulesCallerOptions) {
  const { transport } = registry;
  const headers = { authorization: `Bearer ${options.token}` };
  return {
    registry,
    transport,
    /** The account's name at the registry. */
    username: options.username,
    /** Sends a request with the person's token. @throws ServiceError for everything that is not an answer of 200–299 */
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

/** How long the registry's own word of where its operations are is believed, in milliseconds. */
const believedFor = 5 * 60_000;

/**
 * Where the registry's modules are, without a slash at the end. What it names has to be on its own host: a token goes
 * nowhere else.
 * @throws ServiceError `bad-answer` when it names another host, or no module registry at all
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

/** As `discover`, whatever was answered before. */
export async function askWhere(
  registry: ModuleRegistry,
  request: Pick<ServiceRequest, 'headers'> = {},
): Promise<string> {
  const { transport, ownUrl } = registry;
  const path = `${transport.prefix}/.well-known/terraform.json`;
  const answer = await orNull(() => transport.send({ method: 'GET', path, ...request }), 404);
  const { status } = answer ?? { status: 404 };
  // An address that discovers nothing is that of the modules themselves.
  if (status === 404 && transport.prefix !== '') return transport.prefix;
  if (answer === null || status === 404)
    throw notOne(
      registry,
      'No module registry answers at this address: it serves no /.well-known/terraform.json.',
    );
  if (status >= 300) throw errorOf({ status }, transport);
  const { 'modules.v1': named } = transport.parse(discovery, answer);
  const from = new URL(path, ownUrl);
  const url = URL.canParse(named, from) ? ownUrlOf(registry, new URL(named, from)) : undefined;
  if (url !== undefined && url.search === '' && url.hash === '') return url.pathname.replace(/\/+$/, '');
  throw notOne(
    registry,
    "The module registry's service discovery names another host for its modules. If that host is right, set url in the configuration to the discovered address.",
  );
}

/** The problem of what cannot be asked at all. It has no status, which would tell of one operation. */
function notOne(registry: ModuleRegistry, detail: string): ServiceError {
  return new ServiceError('bad-answer', detail, aboutOf(registry), { delivery: 'answered' });
}

/** The path of an operation. @throws ServiceError `not-found` where the registry can have no such operation */
export function pathTo(registry: ModuleRegistry, base: string, { of, names, query = {} }: Place): string {
  if (of === 'modules') return buildPath(base, names, { query });
  const root = /^(.*)\/v1\/modules$/.exec(base)?.[1];
  if (root === undefined) throw errorOf({ status: 404 }, registry.transport);
  return buildPath(of === 'metrics' ? `${root}/v2/modules` : `${root}/v1/tokens`, names, { query });
}

/** Some registries answer 401 to what a good token may not do. */
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

/** What registries answer where they have no such operation. */
export const notThere = [301, 302, 307, 308, 400, 404, 405, 406, 410, 501] as const;

/** What is read; null where the answer has one of these statuses. */
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
