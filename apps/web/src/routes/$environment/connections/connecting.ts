import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Environment } from '@gatehouse/api-types/console/session';
import { isApiError } from '#lib/api-error.ts';
import { serviceLabels } from '#lib/error-words.ts';

/** Services of an environment, in groups that have the same accounts. */
export function groupsOf(
  { services }: Pick<Environment, 'services'>,
  among: readonly ServiceName[],
): readonly (readonly ServiceName[])[] {
  const groups = Map.groupBy(
    services.filter(({ service }) => among.includes(service)),
    ({ account_store: store }) => store,
  );
  return [...groups.values()].map((group) => group.map(({ service }) => service));
}

/**
 * Connects to services one after the other, with the same credentials. If an account's password is refused, it isn't
 * sent for the same account again, because each attempt counts.
 * @param connect connects to a service, and maybe to others of its group
 * @param isSettled whether a service is connected by now, or known to give no access
 * @returns why services weren't connected
 */
export async function connectGroups(
  groups: readonly (readonly ServiceName[])[],
  {
    connect,
    isSettled,
    signal,
  }: {
    readonly connect: (service: ServiceName) => Promise<unknown>;
    readonly isSettled: (service: ServiceName) => boolean;
    readonly signal: AbortSignal;
  },
): Promise<ReadonlyMap<ServiceName, unknown>> {
  const refusals = new Map<ServiceName, unknown>();
  for (const group of groups) {
    for (const service of group) {
      if (signal.aborted) return refusals;
      if (isSettled(service)) continue;
      try {
        await connect(service);
      } catch (error) {
        refusals.set(service, error);
        if (isApiError(error, 'sign-in-failed', 'rate-limited')) break;
      }
    }
  }
  return refusals;
}

/** Services in a sentence. */
export function inWords(services: readonly ServiceName[]): string {
  return new Intl.ListFormat('en').format(services.map((service) => serviceLabels[service].toLowerCase()));
}
