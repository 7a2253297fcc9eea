import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { ServerProduct } from '@gatehouse/api-types/console/session';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { SignInService } from './directory.ts';
import { ServiceError } from './service-error.ts';

/** The result of the last probe of a service. */
export interface Reachability {
  readonly reachable: boolean;
  readonly sealed: boolean;
  /** Whether another server of its cluster is the active one. */
  readonly standby: boolean;
  /** Whether an embedded registry can reach its file store; true for every other service that is reachable. */
  readonly storeReachable: boolean;
  readonly version: string | null;
  readonly product: ServerProduct | null;
  /** Milliseconds since the epoch. */
  readonly checkedAt: number;
  /** One sentence about the problem; null without one. */
  readonly detail: string | null;
}

/** The cached health of every service. Losing the cache costs one probe of each. */
export type Health = ReturnType<typeof createHealth>;

/** How long a result is used, in milliseconds. */
const freshFor = 3_000;

export function createHealth(clock: Clock) {
  const known = new Map<SignInService, { readonly at: number; readonly state: Promise<Reachability> }>();
  return {
    /** The last result, or a new probe if that is older than a few seconds. Concurrent callers share a probe. */
    of(service: SignInService): Promise<Reachability> {
      const last = known.get(service);
      if (last !== undefined && clock.monotonic() - last.at < freshFor) return last.state;
      const state = ask(service, clock);
      known.set(service, { at: clock.monotonic(), state });
      return state;
    },
    /** Forgets the last result, because a request to the service failed. */
    doubt(environment: string | undefined, service: ServiceName): void {
      for (const one of known.keys()) {
        if (one.environment === environment && one.service === service) known.delete(one);
      }
    },
  };
}

/** Problems of responding services, as codes for the readiness probe; undefined if one doesn't respond. */
export async function troublesOf(
  services: readonly SignInService[],
  health: Health,
): Promise<readonly string[] | undefined> {
  const states = await Promise.all(services.map((service) => health.of(service)));
  if (!states.every(({ reachable }) => reachable)) return undefined;
  const cut = services.filter((_, index) => states[index]?.storeReachable === false);
  return cut.map(({ service }) => `${service}-store-unreachable`);
}

async function ask(service: SignInService, clock: Clock): Promise<Reachability> {
  const checkedAt = clock.now();
  try {
    const told = await service.probe();
    const { version, product = null, standby = false, sealed = false, storeReachable = true } = told;
    return {
      reachable: true,
      sealed,
      standby,
      storeReachable,
      version,
      product,
      checkedAt,
      detail: sealed
        ? 'The secrets server is sealed. An administrator has to unseal it.'
        : standby
          ? 'This secrets server is on standby: another server in the cluster is active.'
          : storeReachable
            ? null
            : "The registry can't reach its file store, so nothing can be downloaded or published.",
    };
  } catch (error) {
    return {
      reachable: false,
      sealed: false,
      standby: false,
      storeReachable: false,
      version: null,
      product: null,
      checkedAt,
      detail: error instanceof ServiceError ? error.message : "The service couldn't be checked.",
    };
  }
}
