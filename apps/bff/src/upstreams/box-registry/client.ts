import type { Clock } from '@gatehouse/service-kit/clock';
import type { Guard } from '#ground/call.ts';
import { buildPath } from '../path.ts';
import { errorOf } from '../registry-error.ts';
import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer, ServiceRequest, Transport } from '../transport.ts';
import type { Transfers } from './transfers.ts';

/** A box registry as configured for one environment. */
export interface BoxRegistry {
  readonly transport: Transport;
  /** Image transfers to and from the registry. */
  readonly transfers: Transfers;
  /** Whether this is the console's own registry, which reports its version with its health. */
  readonly embedded: boolean;
  /** How the registry accepts images: through the registry, or directly into its object store. */
  readonly uploadWay: 'plain' | 'direct';
  /** The address at which the registry's own clients reach it; null if unknown. */
  readonly clientUrl: URL | null;
  readonly clock: Clock;
  /** Cached facts about the registry, each until a time in milliseconds since the epoch. */
  readonly known: {
    /** Whether the registry has the embedded registry's additions to the API. */
    managed?: { readonly is: boolean; readonly until: number };
    /** The version of the API that the registry speaks. */
    spoken?: { readonly version: ApiVersion; readonly until: number };
  };
}

/** Versions of the box API. Version 2 has several architectures of one provider. */
export type ApiVersion = 'v1' | 'v2';

/** A box registry, called with a user's token. */
export type BoxesCaller = ReturnType<typeof callAs>;

/** The user's token, and what is sent with each of their requests. */
export interface BoxesCallerOptions {
  readonly token: string;
  readonly username: string;
  readonly guard?: Guard | undefined;
  readonly signal?: AbortSignal;
  /** Called when the registry no longer accepts the token. */
  readonly onRefused?: () => Promise<void>;
}

/** Calls the registry with a user's token. */
export function callAs(registry: BoxRegistry, options: BoxesCallerOptions) {
  const { transport } = registry;
  const headers = { authorization: `Bearer ${options.token}` };
  return {
    registry,
    transport,
    /** The user's token, for transfers. */
    token: options.token,
    /** The account's name at the registry. */
    username: options.username,
    /** Sends a request with the user's token. @throws ServiceError unless the answer is 200–299 */
    async send(request: Omit<ServiceRequest, 'headers'>): Promise<ServiceAnswer> {
      const answer = await transport.send({
        ...request,
        headers,
        guard: options.guard,
        ...(request.method === 'GET' && options.signal !== undefined && { signal: options.signal }),
      });
      if (answer.status < 300) return answer;
      if (answer.status === 401) {
        if (await isAlive(transport, headers)) throw errorOf({ status: 403 }, transport);
        await options.onRefused?.();
        throw notAccepted(transport);
      }
      throw errorOf(answer, transport);
    },
  };
}

/** The problem of a token that the registry no longer accepts. */
export function notAccepted({ environment, service }: Transport): ServiceError {
  return new ServiceError(
    'not-connected',
    'The box registry no longer accepts the token. Sign in to it again.',
    { environment, service },
    { delivery: 'answered', status: 401 },
  );
}

/** The path of an operation of the API. Signing in and the embedded registry's additions are in version 1. */
export function apiPath(
  { transport: { prefix } }: Pick<BoxRegistry, 'transport'>,
  names: readonly string[],
  { query = {}, version = 'v1' }: { readonly query?: PathQuery; readonly version?: ApiVersion } = {},
): string {
  return buildPath(`${prefix}/api/${version}`, names, { query });
}

type PathQuery = Readonly<Record<string, string | number | boolean | undefined>>;

/** Some registries answer 401 when a valid token lacks permission, so the token is checked separately. */
async function isAlive(transport: Transport, headers: Readonly<Record<string, string>>): Promise<boolean> {
  const path = apiPath({ transport }, ['authenticate']);
  return (await transport.send({ method: 'GET', path, headers })).status < 300;
}
