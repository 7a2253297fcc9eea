import type { Clock } from '@gatehouse/service-kit/clock';
import type { Guard } from '#ground/call.ts';
import { buildPath } from '../path.ts';
import { errorOf } from '../registry-error.ts';
import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer, ServiceRequest, Transport } from '../transport.ts';
import type { Transfers } from './transfers.ts';

/** One box registry, as one environment is configured with it. */
export interface BoxRegistry {
  readonly transport: Transport;
  /** Images from and to it. */
  readonly transfers: Transfers;
  /** Whether it is the console's own, which tells its version beside its health. */
  readonly embedded: boolean;
  /** How it wants images. */
  readonly uploadWay: 'plain' | 'direct';
  /** Where its own clients reach it; null where the configuration does not say. */
  readonly clientUrl: URL | null;
  readonly clock: Clock;
  /** What was found out about it, and until when that is believed. */
  readonly known: {
    /** Whether it has what the embedded registry has beside the field's API. */
    managed?: { readonly is: boolean; readonly until: number };
    /** The version of the API that it speaks. */
    spoken?: { readonly version: ApiVersion; readonly until: number };
  };
}

/** Versions of the field's API: the second one knows architectures of a provider. */
export type ApiVersion = 'v1' | 'v2';

/** A box registry, asked in the name of a person. */
export type BoxesCaller = ReturnType<typeof callAs>;

/** Whose token is used, and what goes along with each of its requests. */
export interface BoxesCallerOptions {
  readonly token: string;
  readonly username: string;
  readonly guard?: Guard | undefined;
  readonly signal?: AbortSignal;
  /** Told when the registry does not accept the token any more. */
  readonly onRefused?: () => Promise<void>;
}

/** The registry as a person with a token sees it. */
export function callAs(registry: BoxRegistry, options: BoxesCallerOptions) {
  const { transport } = registry;
  const headers = { authorization: `Bearer ${options.token}` };
  return {
    registry,
    transport,
    /** The person's token, for transfers. */
    token: options.token,
    /** The account's name at the registry. */
    username: options.username,
    /** Sends a request with the person's token. @throws ServiceError for everything that is not an answer of 200–299 */
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

/** The problem of a token that ended. */
export function notAccepted({ environment, service }: Transport): ServiceError {
  return new ServiceError(
    'not-connected',
    'The box registry no longer accepts the token. Sign in to it again.',
    { environment, service },
    { delivery: 'answered', status: 401 },
  );
}

/** Where an operation of the registry's API is. Signing in is part of version 1, and what the embedded one has beside it. */
export function apiPath(
  { transport: { prefix } }: Pick<BoxRegistry, 'transport'>,
  names: readonly string[],
  { query = {}, version = 'v1' }: { readonly query?: PathQuery; readonly version?: ApiVersion } = {},
): string {
  return buildPath(`${prefix}/api/${version}`, names, { query });
}

type PathQuery = Readonly<Record<string, string | number | boolean | undefined>>;

/** Some registries answer 401 to what a good token may not do. */
async function isAlive(transport: Transport, headers: Readonly<Record<string, string>>): Promise<boolean> {
  const path = apiPath({ transport }, ['authenticate']);
  return (await transport.send({ method: 'GET', path, headers })).status < 300;
}
